"""The system ends the window, as at log-out or shutdown: real window, real engine, nothing lost."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from core.api.events import Join, RoundFinished, Started
from core.ledger.history import History
from core.paths import Home
from core.settings import RulesSettings, Settings, SwarmSettings, WindowSettings, save_settings
from tests.waggle_process import ROOT, TIMEOUT_S, engine

MODEL = "spark"
ALWAYS = RulesSettings(
    on_battery="run",
    when_in_use="run",
    full_screen="run",
    busy_percent=0,
    hottest_c=0,
    memory_floor_mb=0,
    disk_floor_mb=0,
)


def finished(home: Home) -> list[RoundFinished]:
    if not home.ledger.exists():
        return []
    with History(home.ledger, MODEL) as history:
        return history.history()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_a_window_that_is_told_to_end_saves_and_takes_its_engine_along(
    tmp_path: Path, qtbot: QtBot
) -> None:
    """It leaves with 0, no process stays, and the next engine goes on after the last round."""
    home = Home(tmp_path / "home")
    home.prepare()
    window = WindowSettings(consent=True, model=MODEL)
    settings = Settings(window=window, rules=ALWAYS, swarm=SwarmSettings(lan=False))
    save_settings(settings, home.settings)
    command = [sys.executable, "-m", "app.main", "--home", str(home.root), "--background"]
    opened = subprocess.Popen(  # noqa: S603 - our own command
        command, cwd=ROOT, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    )
    try:
        qtbot.waitUntil(lambda: len(finished(home)) >= 2, timeout=round(1_000 * TIMEOUT_S))
        children = psutil.Process(opened.pid).children(recursive=True)
        opened.send_signal(signal.SIGTERM)
        assert opened.wait(TIMEOUT_S) == 0
    finally:
        opened.kill()
    assert children
    assert psutil.wait_procs(children, timeout=TIMEOUT_S)[1] == []
    with engine(home.root) as process:
        process.say(Join(model=MODEL, solo=True))
        assert process.wait_for(Started).round == len(finished(home))
