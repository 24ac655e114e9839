"""Commands as they are typed."""

from pathlib import Path

import pytest

from core.cli.main import main
from tests.commands import Said, Typed


@pytest.fixture
def typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Runs a command on the home ``tmp_path``."""

    def run(*words: str | Path) -> Said:
        code = main([*map(str, words), "--home", str(tmp_path)])
        return Said(code, *capsys.readouterr())

    return run
