"""Every door of a hub, pushed at by Hypothesis: it answers, takes nothing forged, stays up."""

import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from random import Random
from tempfile import TemporaryFile
from urllib.parse import urlsplit

import msgspec
import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.wire import dialback, exchange
from core.wire.codec import encode
from core.wire.dialback import DialbackRequest
from core.wire.exchange import ExchangeRequest, decode_reply
from tests.envelopes import ANNE, BOB, CAROL, SWARM, public_key, sealed

ROOT = Path(__file__).resolve().parents[3]


MOST_GROWTH = 30 << 20
TIMEOUT_S = 20.0
HONEST = [sealed(ANNE, number) for number in range(1, 9)]
ASKING = encode(ExchangeRequest(public_key(ANNE), 8, tuple(HONEST)))
RINGING = encode(DialbackRequest(1))
FORGED = encode(ExchangeRequest(public_key(BOB), 8, (sealed(BOB, 1)[:-1] + b"\x00",)))
BODIES = (ASKING, RINGING, FORGED, b"")
PATHS = (
    f"/v1/swarms/{SWARM}/exchange",
    "/v1/dialback",
    f"/v1/hello/{'0f' * 16}",
    "/",
    "/healthz",
    "/metrics",
)
DOORS = (
    (PATHS[0], exchange.MEDIA_TYPE),
    (PATHS[1], dialback.MEDIA_TYPE),
    (PATHS[0], dialback.MEDIA_TYPE),
)
NAMES = ("Content-Type", "Content-Encoding", "Connection", "Expect", "X-Forwarded-For", "Range")
VALUES = (exchange.MEDIA_TYPE, dialback.MEDIA_TYPE, "gzip", "100-continue", "127.0.0.1", "bytes=0-")


class Hub:
    """A hub in a process of its own, which Hypothesis talks to."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        self.port = urlsplit(process.stdout.readline().strip()).port or 0
        self.statuses: Counter[int] = Counter()
        self.requests = 0
        self._process = psutil.Process(process.pid)

    @property
    def resident(self) -> int:
        size: int = self._process.memory_info().rss
        return size

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), TIMEOUT_S)

    def answer(self, line: socket.socket, method: str = "GET") -> tuple[HTTPResponse, bytes]:
        """The next response; what is no HTTP, or a failure of the hub, fails the test."""
        response = HTTPResponse(line, method=method)
        response.begin()
        self.statuses[response.status] += 1
        assert response.status < 500 or response.status == 503, response.status
        return response, response.read()

    def ask(self, method: str, path: str, body: bytes = b"", media: str = "") -> tuple[int, bytes]:
        with self.connect() as line:
            line.sendall(request(method, path, [("Content-Type", media)], body))
            response, said = self.answer(line, method)
            return response.status, said


@contextmanager
def generous_hub() -> Iterator[Hub]:
    """Run it within the block; whatever it writes to stderr fails the test."""
    with (
        TemporaryFile("w+") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "tests.generous_hub"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=ROOT,
        ) as process,
    ):
        try:
            yield Hub(process)
            process.communicate(timeout=TIMEOUT_S)
        finally:
            process.kill()
        errors.seek(0)
        assert (process.returncode, errors.read()) == (0, "")


def request(method: str, path: str, headers: list[tuple[str, str]], body: bytes) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: hub", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers if value]
    return "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n" + body


@st.composite
def altered(draw: st.DrawFn) -> bytes:
    """Something that was a right body before it was cut, flipped, doubled or mixed."""
    body = bytearray(draw(st.sampled_from(BODIES)))
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(body)))
        match draw(st.sampled_from(("flip", "cut", "put", "double"))):
            case "flip" if place < len(body):
                body[place] ^= 1 << draw(st.integers(0, 7))
            case "cut":
                del body[place : place + draw(st.integers(1, 64))]
            case "put":
                body[place:place] = draw(st.binary(max_size=16))
            case _:
                body += body[place : place + 200]
    return bytes(body)


THINGS = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.binary()
    | st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(["ask", "dial"]),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text("abc"), inner, max_size=3),
    max_leaves=12,
)  # fmt: skip
TOKENS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=12)
PRINTABLE = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=40)
METHODS = st.sampled_from(("GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE", "PATCH")) | TOKENS
WHERE = st.sampled_from(PATHS) | PRINTABLE.map(lambda text: "/" + text.replace("#", ""))
HEADERS = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES) | PRINTABLE), max_size=4
)
BODY = altered() | st.binary(max_size=300) | THINGS.map(msgspec.msgpack.encode)


@st.composite
def aimed(draw: st.DrawFn) -> tuple[str, bytes]:
    """A request for a door that there is, with the media type that it takes."""
    path, media = draw(st.sampled_from(DOORS))
    headers = [("Content-Type", media), *draw(HEADERS)[:1]]
    return "POST", request("POST", path, headers, draw(BODY))


@st.composite
def stray(draw: st.DrawFn) -> tuple[str, bytes]:
    """A request for anything."""
    method = draw(METHODS)
    return method, request(method, draw(WHERE), draw(HEADERS), draw(BODY))


NOISE = st.binary(min_size=1, max_size=400).map(lambda noise: ("", noise))
TALK = st.lists(aimed() | stray() | NOISE, min_size=2, max_size=15)


def talk(hub: Hub, said: list[tuple[str, bytes]]) -> None:
    """Say one thing after the other on one connection, on a new one where the hub hung up."""
    line = hub.connect()
    for method, data in said:
        hub.requests += 1
        try:
            line.sendall(data)
            if not method:
                line.shutdown(socket.SHUT_WR)  # or it would wait for the rest of the noise
            response, _ = hub.answer(line, method)
            goes_on = bool(method) and not response.will_close and b"Expect" not in data
        except (ConnectionError, HTTPException):  # it hung up, as it may
            goes_on = False
        if not goes_on:
            line.close()
            line = hub.connect()
    line.close()


def push_at_every_door(talks: int) -> tuple[Hub, int]:
    """The hub as it was left, and by how many bytes it grew after the first tenth."""
    sizes: list[int] = []
    with generous_hub() as hub:

        @settings(
            max_examples=talks,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(TALK)
        def push(said: list[tuple[str, bytes]]) -> None:
            talk(hub, said)
            sizes.append(hub.resident)

        push()
        assert hub.ask("GET", "/healthz") == (200, b"ok\n")
        asking = encode(ExchangeRequest(public_key(CAROL), 64, ()))
        status, reply = hub.ask("POST", PATHS[0], asking, exchange.MEDIA_TYPE)
        assert status == 200
        assert set(decode_reply(reply).envelopes) <= set(HONEST)
    return hub, sizes[-1] - sizes[len(sizes) // 10]


@pytest.mark.parametrize(
    ("talks", "requests"),
    [
        pytest.param(400, 2_000, marks=pytest.mark.slow),
        pytest.param(4_000, 20_000, marks=[pytest.mark.endurance, pytest.mark.timeout(900)]),
    ],
)
def test_every_door_stands_thousands_of_requests(talks: int, requests: int) -> None:
    """Each is answered or hung up on; nothing forged is kept, and neither log nor hub grows.

    A talk is of up to 15 requests, about 6 as Hypothesis draws them.
    """
    hub, growth = push_at_every_door(talks)
    print(f"\n{hub.requests} requests: {dict(hub.statuses)}, {growth / 1e6:+.1f} MB")  # noqa: T201
    assert hub.requests > requests
    assert {200, 400, 404, 405, 415} <= set(hub.statuses)
    assert growth < MOST_GROWTH


@pytest.mark.parametrize("path", PATHS)
def test_noise_behind_a_good_request_is_refused(path: str) -> None:
    """A connection that was used well earns no trust for what follows."""
    rng = Random(3)
    with generous_hub() as hub:
        for _ in range(30):
            with hub.connect() as line, suppress(ConnectionError):
                line.sendall(request("GET", "/healthz", [], b""))
                assert hub.answer(line)[1] == b"ok\n"
                line.sendall(f"GET {path}\x00".encode() + rng.randbytes(200) + b"\r\n\r\n")
                with suppress(HTTPException):
                    assert hub.answer(line)[0].status == 400
        assert hub.ask("GET", "/healthz") == (200, b"ok\n")
