"""How far a download has come."""

from core.models.download.progress import DownloadProgress, Stage


def test_what_is_there_is_told_with_what_there_will_be() -> None:
    """Also where something had to be dropped, and where less is needed than was thought."""
    told: list[tuple[int, int]] = []
    meter = DownloadProgress(100, lambda done, total: told.append((done, total)))
    meter.add(60)
    meter.add(-10)
    meter.leave_out(40)
    meter.add(10)
    assert told == [(60, 100), (50, 100), (60, 60)]


def test_what_is_being_done_is_passed_on() -> None:
    """In the order in which it is done."""
    entered: list[Stage] = []
    meter = DownloadProgress(100, lambda *_: None, entered.append)
    meter.enter("downloading")
    meter.enter("verifying")
    assert entered == ["downloading", "verifying"]
