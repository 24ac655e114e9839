"""HTTP towards the update source."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Event
from typing import ClassVar
from urllib.request import Request

import pytest
from tuf.api.exceptions import DownloadError, DownloadHTTPError

from core.updates.transport import SecureRedirects, StoppedError, Transport
from tests.update_source import UpdateSource


class Proxy(BaseHTTPRequestHandler):
    """Answers everything itself, and remembers what it was asked for."""

    asked: ClassVar[list[str]]

    def do_GET(self) -> None:
        """Say that it was here."""
        self.asked.append(self.path)
        self.send_response(200)
        self.send_header("Content-Length", "7")
        self.end_headers()
        self.wfile.write(b"proxied")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def proxy() -> Iterator[tuple[str, list[str]]]:
    class Fresh(Proxy):
        asked: ClassVar[list[str]] = []

    server = ThreadingHTTPServer(("127.0.0.1", 0), Fresh)
    thread = threading.Thread(target=lambda: server.serve_forever(0.01), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", Fresh.asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_the_proxy_of_this_computer_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """As ``core.net.proxy.use_proxy`` sets it."""
    with proxy() as (url, asked):
        monkeypatch.setenv("http_proxy", url)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        body = Transport(Event()).download_bytes("http://updates.example/a.json", 100)
    assert (body, asked) == (b"proxied", ["http://updates.example/a.json"])


def test_nobody_there_is_a_failed_download() -> None:
    """In TUF's own words, which the client explains."""
    with pytest.raises(DownloadError):
        Transport(Event()).download_bytes("http://127.0.0.1:1/", 100)


@pytest.mark.parametrize("url", ["file:///etc/hostname", "ftp://127.0.0.1/x", "data:,x", "nothing"])
def test_only_http_is_spoken(url: str) -> None:
    """Nobody makes us read a file of this computer."""
    with pytest.raises(DownloadError):
        Transport(Event()).download_bytes(url, 100)


@pytest.mark.parametrize(
    ("before", "after", "is_followed"),
    [
        ("https", "https", True),
        ("https", "http", False),
        ("https", "HTTP", False),
        ("http", "https", True),
        ("http", "http", True),
    ],
)
def test_no_redirect_leads_out_of_tls(before: str, after: str, *, is_followed: bool) -> None:
    """A source on this computer may do without from the beginning."""
    asked = Request(f"{before}://a.example/x")  # noqa: S310 - nothing is asked
    redirects, to = SecureRedirects(), f"{after}://b.example/x"
    following = redirects.redirect_request(asked, BytesIO(), 302, "", HTTPMessage(), to)
    assert (following is not None) == is_followed


def test_an_error_keeps_its_status(source: UpdateSource) -> None:
    """TUF has to know that there is no newer root."""
    with pytest.raises(DownloadHTTPError) as caught:
        Transport(Event()).download_bytes(f"{source.url}nothing", 100)
    assert caught.value.status_code == 404


def test_it_stops_when_nobody_waits(source: UpdateSource) -> None:
    """While bytes come, and while it waits for another try."""
    (source.web / "big").write_bytes(bytes(1 << 20))
    stop = Event()
    transport = Transport(stop)
    with transport.opened(f"{source.url}big") as response:
        chunks = transport.chunks(response)
        assert next(chunks)
        stop.set()
        with pytest.raises(StoppedError):
            next(chunks)
    with pytest.raises(StoppedError):
        transport.wait(60)


def test_a_disk_in_trouble_is_no_trouble_of_the_network(
    source: UpdateSource, tmp_path: Path
) -> None:
    """What goes wrong while an answer is used stays what it is."""
    (source.web / "small").write_bytes(b"x")
    with pytest.raises(IsADirectoryError), Transport(Event()).opened(f"{source.url}small"):
        tmp_path.open()
