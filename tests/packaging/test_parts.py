"""The frozen ``waggle`` is exactly what our own code starts, and leaves no trace in others."""

import os
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
STARTED = re.compile(r"""python_command\(\s*"([\w.]+)"\s*\)""")


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module as it lies beside the frozen programs' scripts."""
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    return import_module("parts")


def started_modules() -> set[str]:
    """What the product's own code starts as a process, read from its text."""
    found = set()
    for path in (file for folder in ("core", "app") for file in (ROOT / folder).rglob("*.py")):
        found.update(STARTED.findall(path.read_text(encoding="utf-8")))
    return found


def test_every_module_that_is_started_is_a_part_and_no_other(parts: ModuleType) -> None:
    """An option of a program must not become a way to run any module."""
    assert started_modules() == set(parts.PARTS)


def test_every_call_names_its_module_where_it_stands() -> None:
    """Or the test above would not see it."""
    for path in (file for folder in ("core", "app") for file in (ROOT / folder).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        calls = re.findall(r"(?<!def )\b(?:python|confined)_command\(", text)
        assert len(calls) == len(STARTED.findall(text)), path


def test_every_part_has_a_main(parts: ModuleType) -> None:
    """It is found without being imported: the heavy ones stay unloaded."""
    for name in parts.PARTS:
        spec = find_spec(name)
        assert spec is not None, name
        assert spec.origin is not None, name
        assert "\ndef main(" in Path(spec.origin).read_text(encoding="utf-8"), name


@pytest.mark.parametrize("asked", [["--part"], ["--part", "os"], ["--part", "core.errors"]])
def test_what_is_no_part_is_refused(
    parts: ModuleType, asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """With a sentence and the code of wrong usage, before anything is imported."""
    assert parts.run(asked) == parts.USAGE_ERROR
    assert "is no part of Waggle" in capsys.readouterr().err


def test_a_part_finds_its_own_arguments() -> None:
    """Those behind its name, as if it had been started by itself."""
    script = (
        "import sys; from parts import run; "
        "sys.exit(run(['--part', 'core.cli.main', 'join', '--help']))"
    )
    done = subprocess.run(  # noqa: S603 - the lines above
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "packaging")])},
    )
    assert done.returncode == 0, done.stderr
    assert "usage: " in done.stdout
    assert "--solo" in done.stdout


@pytest.mark.parametrize("before", [None, "/opt/of-the-person"])
def test_others_look_for_libraries_where_they_did_before(
    parts: ModuleType, before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser that we start must not be handed our libraries."""
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/waggle/_internal")
    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG", raising=False)
    if before:
        monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before)
    parts.forget_library_path()
    assert os.environ.get("LD_LIBRARY_PATH") == before
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ
