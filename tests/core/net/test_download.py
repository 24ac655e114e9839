"""What resumable downloads share."""

import ssl
from pathlib import Path

import pytest
import truststore

from core.net.download import Pauses, appending, first_byte, web_context


@pytest.mark.parametrize(
    ("status", "content_range", "begins"),
    [
        (200, "", 0),
        (200, "bytes 100-199/200", 0),
        (206, "bytes 100-199/200", 100),
        (206, "bytes 0-199/200", None),
        (206, "bytes 99-199/200", None),
        (206, f"bytes {'9' * 5_000}-199/200", None),
        (206, "100-199/200", None),
        (206, "", None),
        (404, "bytes 100-199/200", None),
    ],
)
def test_only_the_part_that_was_asked_for_is_taken(
    status: int, content_range: str, begins: int | None
) -> None:
    """Or the whole file; anything else would be written in the wrong place."""
    assert first_byte(status, content_range, 100, is_whole=True) == begins


def test_a_page_in_place_of_a_part_is_not_taken() -> None:
    """What came before would be lost for it; a file that only begins loses nothing."""
    assert first_byte(200, "", 100, is_whole=False) is None
    assert first_byte(200, "", 0, is_whole=False) == 0


def test_what_comes_stands_behind_what_is_there(tmp_path: Path) -> None:
    """What was more is gone, and a part that is not there begins."""
    part = tmp_path / "a.part"
    for have, data in ((0, b"abcdef"), (3, b"x"), (0, b"y")):
        with appending(part, have) as file:
            file.write(data)
        assert part.read_bytes() == (b"abcdef"[:have] + data)


def test_tries_begin_anew_once_something_came() -> None:
    """A line that is only bad gets through; one that brings nothing is given up."""
    pauses = Pauses((1.0, 2.0), 0, enough=10)
    assert [pauses.after(have) for have in (5, 12, 21, 22)] == [1.0, 1.0, 2.0, 1.0]
    assert [pauses.after(22), pauses.after(0)] == [2.0, None]


def test_a_server_that_knows_no_parts_is_told_from_a_bad_line() -> None:
    """Only where no try since the last progress ended in another way."""
    pauses = Pauses((1.0,) * 9, 0)
    tries = [(0, True), (0, False), (0, True), (5, False), (5, True), (5, True)]
    told = []
    for have, is_unmeasured in tries:
        pauses.after(have, is_unmeasured=is_unmeasured)
        told.append(pauses.wants_whole)
    assert told == [True, False, False, False, True, True]


def test_a_certificate_in_the_environment_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a company names it that looks into its traffic; otherwise those of the system are."""
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert isinstance(web_context(), truststore.SSLContext)
    monkeypatch.setenv("SSL_CERT_FILE", "company.pem")
    assert type(web_context()) is ssl.SSLContext
