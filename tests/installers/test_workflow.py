"""The workflow calls what exists, may change nothing, and its secrets are explained."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")


def test_every_script_that_it_calls_is_there() -> None:
    """A moved file would be noticed on the day of a release only."""
    modules = re.findall(r"python3? -m (installers[.\w]*)", TEXT)
    files = re.findall(r"(installers[/\\][\w/\\]+\.(?:sh|iss))", TEXT)
    assert len(modules) >= 4
    assert len(files) == 2
    assert all((ROOT / f"{name.replace('.', '/')}.py").is_file() for name in modules)
    assert all((ROOT / name.replace("\\", "/")).is_file() for name in files)


def test_it_may_read_the_code_and_nothing_else() -> None:
    """Whatever runs in it cannot write to the repository."""
    assert TEXT.count("permissions:") == 1
    assert "permissions:\n  contents: read\n\n" in TEXT


def test_every_secret_and_variable_is_explained() -> None:
    """Whoever releases finds out what to set, and finds nothing that is not used."""
    used = set(re.findall(r"(?:secrets|vars)\.(\w+)", TEXT))
    page = (ROOT / "docs" / "releasing.md").read_text("utf-8")
    told = re.findall(r"^\|(.+?)\| (?:secret|variable) \|", page, re.MULTILINE)
    assert used == set(re.findall(r"`(\w+)`", "".join(told)))
