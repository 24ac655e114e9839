"""What a child of ours said last."""

from pathlib import Path

import pytest
from psutil import Process

from app.backend.output_log import LOG_BYTES, OutputLog


def test_the_log_stays_small(tmp_path: Path) -> None:
    """However much a child prints, two files of a bounded size are kept."""
    log = OutputLog(tmp_path, "engine.log")
    for _ in range(30):
        log.write(b"x" * 7_000 + b"\n" + b"y" * 40_000)
        log.write(b"\nTraceback: the reason\n" * 400)
    files = list(tmp_path.iterdir())
    assert len(files) == 2
    assert all(file.stat().st_size <= LOG_BYTES for file in files)
    assert "the reason" in (tmp_path / "engine.log").read_text(encoding="utf-8")


def test_the_log_is_not_open_between_writes(tmp_path: Path) -> None:
    """Whoever is to delete it can, on Windows, too; the next line begins it anew."""
    log = OutputLog(tmp_path, "engine.log")
    for _ in range(2):
        log.write(b"a line\n")
        assert str(tmp_path) not in {str(Path(one.path).parent) for one in Process().open_files()}
        (tmp_path / "engine.log").unlink()


def test_a_log_that_cannot_be_written_does_no_harm(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Training goes on when its log cannot."""
    log = OutputLog(tmp_path / "is" / "not" / "there", "engine.log")
    log.write(b"a line\n")
    assert "a line" not in capsys.readouterr().out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_full_disk_does_no_harm(tmp_path: Path) -> None:
    """Nor does what could not be written spoil the next lines, once there is room again."""
    place = tmp_path / "engine.log"
    place.symlink_to("/dev/full")
    log = OutputLog(tmp_path, "engine.log")
    log.write(b"lost\n")
    place.unlink()
    log.write(b"a line\n")
    assert "a line" in place.read_text(encoding="utf-8")
