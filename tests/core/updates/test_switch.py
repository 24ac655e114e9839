"""Putting the new Waggle in place, in a process of its own."""

import sys
from pathlib import Path
from subprocess import PIPE, Popen

import psutil
import pytest

from core.children import python_command
from core.paths import Home
from core.updates.installation import Installation
from core.updates.memory import Known, recall, remember, switch_lock
from core.updates.source import ReleaseSource
from core.updates.switch import SILENT_SETUP, SwitchOrder, carry_out
from core.updates.upkeep import UpdateOptions, Upkeep
from tests.posix import make_pipe
from tests.update_source import answering, app_files, install, opening

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shell scripts")

SOURCE = ReleaseSource("https://example.org/", b"")
NOBODY = 2**22 + 1  # above every process id
TIMEOUT_S = 120.0


@pytest.fixture
def home(home: Home) -> Home:
    home.updates.mkdir()
    return home


@pytest.fixture
def here(tmp_path: Path) -> Installation:
    """Version 0.1.0, with 0.2.0 ready beside it; a window that is opened leaves a mark."""
    apps = tmp_path / "apps"
    old = opening(f"echo old $* >> {tmp_path}/opened")
    new = opening(f"echo new $* >> {tmp_path}/opened")
    install(apps / "waggle.new", app_files("0.2.0", new))
    return install(apps / "waggle", app_files("0.1.0", old))


def ready(here: Installation, home: Home, *, starts: bool = False) -> SwitchOrder:
    return SwitchOrder(here, "0.2.0", home, NOBODY, starts)


def version(here: Installation) -> str:
    return here.console().read_text()


def arguments(here: Installation, home: Home, *more: str, after: int = NOBODY) -> list[str]:
    return [
        *python_command("core.updates.switch"),
        *("--place", str(here.place), "--inside", ".", "--version", "0.2.0"),
        *("--home", str(home.root), "--after", str(after), *more),
    ]


def run(here: Installation, home: Home, *more: str) -> int:
    with Popen(arguments(here, home, *more)) as process:  # noqa: S603 - our own part
        return process.wait(TIMEOUT_S)


def left(here: Installation) -> list[str]:
    return sorted(path.name for path in here.place.parent.iterdir())


def opened(here: Installation) -> str:
    path = here.place.parents[1] / "opened"
    return path.read_text() if path.exists() else ""


def test_the_new_one_is_in_place(here: Installation, home: Home) -> None:
    """The old one is gone, and no window opens where none was asked for."""
    assert carry_out(ready(here, home))
    assert version(here) == answering("0.2.0")
    assert left(here) == ["waggle"]
    assert opened(here) == ""


def test_the_new_window_opens_on_the_same_home(here: Installation, home: Home) -> None:
    """Where the person wanted to go on."""
    assert carry_out(ready(here, home, starts=True))
    assert opened(here) == f"new --home {home.root}\n"


def test_a_new_one_that_does_not_answer_is_taken_back(here: Installation, home: Home) -> None:
    """And is remembered, so that it is not tried again."""
    remember(home.updates, Known(newest="0.2.0", staged="0.2.0"))
    (here.place.parent / "waggle.new" / "waggle").write_text("#!/bin/sh\nexit 1\n")
    assert not carry_out(ready(here, home))
    assert version(here) == answering("0.1.0")
    assert left(here) == ["waggle"]
    assert recall(home.updates) == Known(newest="0.2.0", failed="0.2.0")


@pytest.mark.parametrize(
    ("program", "script"),
    [("waggle", "#!/bin/sh\nkill -TERM $$\n"), ("waggle-app", opening("kill -TERM $$"))],
)
def test_a_trial_that_was_cut_off_tells_nothing(
    here: Installation, home: Home, program: str, script: str
) -> None:
    """As by a log-out: the old one comes back, and the new one may be tried another time."""
    remember(home.updates, Known(newest="0.2.0", staged="0.2.0"))
    (here.place.parent / "waggle.new" / program).write_text(script)
    mark = here.place.parents[1] / "opened"
    make_pipe(mark)  # reading it waits for whoever writes
    assert run(here, home, "--start") == 1
    assert mark.read_text() == f"old --home {home.root}\n"
    assert version(here) == answering("0.1.0")
    assert recall(home.updates) == Known(newest="0.2.0")
    assert "ERROR" not in (home.logs / "update.log").read_text()


def test_a_window_that_crashes_is_taken_back(here: Installation, home: Home) -> None:
    """The old one opens in its stead."""
    (here.place.parent / "waggle.new" / "waggle-app").write_text(opening("", code=1))
    mark = here.place.parents[1] / "opened"
    make_pipe(mark)  # reading it waits for whoever writes
    assert run(here, home, "--start") == 1
    assert mark.read_text() == f"old --home {home.root}\n"
    assert version(here) == answering("0.1.0")


def test_a_window_that_stays_has_started(here: Installation, home: Home, tmp_path: Path) -> None:
    """Nobody waits for it to be closed."""
    script = opening(f"echo $$ > {tmp_path}/pid\nexec /bin/sleep 100")
    (here.place.parent / "waggle.new" / "waggle-app").write_text(script)
    make_pipe(tmp_path / "pid")
    command = arguments(here, home, "--start", "--starting-s", "1")
    with Popen(command) as process:  # noqa: S603 - our own part
        pid = int((tmp_path / "pid").read_text())
        try:
            assert process.wait(TIMEOUT_S) == 0
            assert version(here) == answering("0.2.0")
        finally:
            psutil.Process(pid).kill()


def test_while_a_new_window_is_tried_out_the_old_one_is_kept(
    here: Installation, home: Home, tmp_path: Path
) -> None:
    """Whoever looks at Settings, Updates meanwhile: it may have to come back."""
    script = opening(f"echo $$ > {tmp_path}/pid\nread line < {tmp_path}/crash", code=1)
    (here.place.parent / "waggle.new" / "waggle-app").write_text(script)
    for name in ("pid", "crash"):
        make_pipe(tmp_path / name)
    with Popen(arguments(here, home, "--start")) as process:  # noqa: S603 - our own part
        assert (tmp_path / "pid").read_text()
        Upkeep(home, UpdateOptions(lambda: here, lambda: SOURCE)).show()
        assert left(here) == [".waggle.lock", "waggle", "waggle.old"]
        (tmp_path / "crash").write_text("now\n")
        assert process.wait(TIMEOUT_S) == 1
    assert version(here) == answering("0.1.0")
    assert left(here) == ["waggle"]
    assert opened(here) == f"old --home {home.root}\n"
    Upkeep(home, UpdateOptions(lambda: here, lambda: SOURCE)).show()
    assert recall(home.updates).failed == "0.2.0"


def test_what_a_new_window_learns_while_it_is_tried_stays(here: Installation, home: Home) -> None:
    """It may have looked for something newer by the time that it counts as started."""
    known = home.updates / "known.json"
    mark = f'echo \'{{"newest":"0.3.0"}}\' > {known}'
    (here.place.parent / "waggle.new" / "waggle-app").write_text(opening(mark))
    remember(home.updates, Known(newest="0.2.0", staged="0.2.0"))
    assert carry_out(ready(here, home, starts=True))
    assert recall(home.updates).newest == "0.3.0"


def test_two_switches_do_not_meet(here: Installation, home: Home) -> None:
    """The second one leaves everything to the first."""
    with switch_lock(home, None):
        assert run(here, home, "--start") == 1
    assert left(here) == ["waggle", "waggle.new"]
    assert opened(here) == ""


def test_nothing_happens_while_the_window_is_open(here: Installation, home: Home) -> None:
    """The update waits for another time; a window that was to open again does."""
    with Popen(["/bin/sleep", "100"]) as window:
        try:
            busy = SwitchOrder(here, "0.2.0", home, window.pid, starts=False)
            assert not carry_out(busy, quitting_s=0.0)
        finally:
            window.kill()
    assert version(here) == answering("0.1.0")
    assert left(here) == ["waggle", "waggle.new"]
    assert recall(home.updates).held_up  # which the page says


def test_nothing_happens_while_something_runs_from_the_folder(
    here: Installation, home: Home
) -> None:
    """Somebody may practise by the command line."""
    program = here.place / "sleep"
    program.write_bytes(Path("/bin/sleep").read_bytes())
    program.chmod(0o755)
    with Popen([program, "100"]) as node:  # noqa: S603 - a copy of sleep
        try:
            assert not carry_out(ready(here, home), quitting_s=0.0)
        finally:
            node.kill()
    assert carry_out(ready(here, home))
    assert not recall(home.updates).held_up


@pytest.fixture
def setup(tmp_path: Path) -> Path:
    """A setup that tells what it was asked for, to whoever reads, and changes nothing."""
    make_pipe(tmp_path / "asked")
    program = tmp_path / "waggle-0.2.0-windows-x86_64.exe"
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\n')
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    ("start", "told"), [((), ""), (("--start",), " /STARTWAGGLE=1 /WAGGLEHOME={}")]
)
def test_a_setup_is_run_and_what_it_does_not_do_is_told(
    here: Installation, home: Home, setup: Path, start: tuple[str, ...], told: str
) -> None:
    """It says nothing where it gives up: whoever has still the old one then reads of it."""
    remember(home.updates, Known(newest="0.2.0"))
    assert run(here, home, "--setup", str(setup), *start) == 0
    assert (
        setup.parent / "asked"
    ).read_text() == f"{' '.join(SILENT_SETUP)}{told.format(home.root)}\n"
    assert opened(here) == ""
    shown = Upkeep(home, UpdateOptions(lambda: here, lambda: SOURCE, "0.1.0")).show()
    assert (shown.newest, shown.held_up) == ("0.2.0", True)
    assert Upkeep(home, UpdateOptions(lambda: here, lambda: SOURCE, "0.2.0")).show().newest == ""


def test_no_setup_is_run_while_something_runs(here: Installation, home: Home, setup: Path) -> None:
    """It would find the files in use, and end what a person practises in a terminal."""
    with Popen(["/bin/sleep", "100"]) as node:
        try:
            busy = SwitchOrder(here, "0.2.0", home, node.pid, starts=False, setup=setup)
            assert not carry_out(busy, quitting_s=0.0)
        finally:
            node.kill()
    assert recall(home.updates).held_up


def test_a_setup_that_cannot_be_started_is_as_if_it_gave_up(
    here: Installation, home: Home, setup: Path
) -> None:
    """The old window opens again."""
    setup.chmod(0o644)
    mark = here.place.parents[1] / "opened"
    make_pipe(mark)  # reading it waits for whoever writes
    assert run(here, home, "--setup", str(setup), "--start") == 1
    assert mark.read_text() == f"old --home {home.root}\n"
    assert recall(home.updates).held_up


def test_without_a_new_one_nothing_happens(here: Installation, home: Home) -> None:
    """As when two switches were started one after the other."""
    assert carry_out(ready(here, home))
    assert not carry_out(ready(here, home))
    assert version(here) == answering("0.2.0")


def test_a_window_that_was_to_open_again_does(here: Installation, home: Home) -> None:
    """Although there is nothing to be put in place any more."""
    assert carry_out(ready(here, home))
    mark = here.place.parents[1] / "opened"
    make_pipe(mark)  # reading it waits for whoever writes
    assert run(here, home, "--start") == 1
    assert mark.read_text() == f"new --home {home.root}\n"


def test_it_waits_for_the_window_to_end(here: Installation, home: Home) -> None:
    """As a process of its own, started as the window starts it."""
    with (
        Popen(["/bin/sh", "-c", "read line"], stdin=PIPE) as window,
        Popen(arguments(here, home, after=window.pid)) as process,  # noqa: S603 - our own part
    ):
        assert version(here) == answering("0.1.0")
        assert window.stdin is not None
        window.stdin.close()
        window.wait()
        assert process.wait(TIMEOUT_S) == 0
    assert version(here) == answering("0.2.0")
    assert "is in place" in (home.logs / "update.log").read_text()


def test_a_folder_that_cannot_be_renamed_stays(here: Installation, home: Home) -> None:
    """What is in the way is somebody's own, and there is a Waggle afterwards."""
    (here.place.parent / "waggle.old").write_text("a file in the way")
    assert run(here, home) == 1
    assert version(here) == answering("0.1.0")
    assert (here.place.parent / "waggle.old").read_text() == "a file in the way"
