"""The workflows call what exists, may change nothing, and their secrets are explained."""

import re
from pathlib import Path

import pytest

from dev_release import SUPPORTED

ROOT = Path(__file__).resolve().parents[2]
TEXTS = {path.stem: path.read_text("utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")}
RELEASE, TESTS = TEXTS["release"], TEXTS["tests"]


def test_every_script_that_it_calls_is_there() -> None:
    """A moved file would be noticed on the day of a release only."""
    modules = re.findall(r"python3? -m (installers[.\w]*)", RELEASE)
    files = re.findall(r"(installers[/\\][\w/\\]+\.(?:sh|iss))", RELEASE)
    assert len(modules) >= 4
    assert len(files) == 2
    assert all((ROOT / f"{name.replace('.', '/')}.py").is_file() for name in modules)
    assert all((ROOT / name.replace("\\", "/")).is_file() for name in files)


def test_every_push_is_tested_on_all_systems_with_all_pythons() -> None:
    """By the command that everybody uses, and however the others end."""
    assert 'push:\n    branches: ["**"]\n  pull_request:\n' in TESTS
    assert "system: [ubuntu-latest, windows-latest, macos-latest]\n" in TESTS
    pythons = ", ".join(f'"{major}.{minor}"' for major, minor in SUPPORTED)
    assert f"python: [{pythons}]\n" in TESTS
    assert "fail-fast: false" in TESTS
    assert "run: python dev.py test\n" in TESTS
    assert "-DGGML_NATIVE=OFF" in TESTS, "what is kept may be used on another processor"


def test_all_use_the_same_actions() -> None:
    """An action of two versions would be looked at in one of them only."""
    used = {one for text in TEXTS.values() for one in re.findall(r"uses: (\S+)", text)}
    assert all(one.startswith("actions/") for one in used)
    assert len(used) == len({one.partition("@")[0] for one in used})


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_it_may_read_the_code_and_nothing_else(text: str) -> None:
    """Whatever runs in it cannot write to the repository."""
    assert text.count("permissions:") == 1
    assert "permissions:\n  contents: read\n\n" in text


def test_what_is_pushed_by_strangers_sees_no_secret() -> None:
    """A pull request runs the code of whoever made it."""
    assert "secrets." not in TESTS


def test_every_secret_and_variable_is_explained() -> None:
    """Whoever releases finds out what to set, and finds nothing that is not used."""
    used = {one for text in TEXTS.values() for one in re.findall(r"(?:secrets|vars)\.(\w+)", text)}
    page = (ROOT / "docs" / "releasing.md").read_text("utf-8")
    told = re.findall(r"^\|(.+?)\| (?:secret|variable) \|", page, re.MULTILINE)
    assert used == set(re.findall(r"`(\w+)`", "".join(told)))
