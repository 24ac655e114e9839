"""A project folder and tools that only note how they are called, for ``dev.py`` to work on."""

from pathlib import Path

import pytest

import dev


class FakeTools:
    """Shell scripts in place of pip, apt-get and the linters, which note how they are called."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "calls.log"
        folder.mkdir(parents=True)

    def add(self, name: str, *, says: str = "", exit_code: int = 0, fails_on: str = "") -> None:
        """Put a tool called ``name`` in the folder, in place of an older one.

        It fails with ``exit_code``, or where ``fails_on`` is among its arguments.
        """
        lines = [f'echo "{name} $*" >> {self.log}', f'echo "{says}"']
        lines += [f'case "$*" in *{fails_on}*) exit 1;; esac'] if fails_on else []
        self.write(name, "\n".join([*lines, f"exit {exit_code}"]))

    def write(self, name: str, script: str) -> None:
        """Put a tool called ``name`` in the folder that does as ``script`` says."""
        tool = self.folder / name
        tool.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        tool.chmod(0o755)

    def calls(self) -> list[str]:
        """One line per call so far: the tool's name and its arguments."""
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []


def fake_checkout(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a project of three small files at ``root`` and let ``dev`` look there."""
    root.mkdir()
    (root / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    (root / "constraints.txt").write_text("# pins\nnumpy==2.4.6\ntorch==2.13.0\n", encoding="utf-8")
    (root / "debian-packages.txt").write_text("# libraries\nlibegl1\nxvfb\n", encoding="utf-8")
    (root / "debian-test-packages.txt").write_text("# tools\nxvfb\n", encoding="utf-8")
    for name, place in {
        "ROOT": "",
        "CONSTRAINTS": "constraints.txt",
        "DEBIAN_PACKAGES": "debian-packages.txt",
        "DEBIAN_TEST_PACKAGES": "debian-test-packages.txt",
        "VENV": ".venv",
        "STAMP": ".venv/waggle-stamp",
        "FAST_STAMP": ".venv/waggle-fast",
        "SCRIPTS": ".venv/bin",
        "PYTHON": ".venv/bin/python",
    }.items():
        monkeypatch.setattr(dev, name, root / place)
    return root
