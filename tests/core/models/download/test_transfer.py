"""One file on its way, over a line that may break."""

import asyncio
import base64
import datetime as dt
import errno
import ipaddress
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from core.errors import DiskFullError, ModelError
from core.models.catalog.catalog import ModelSpec
from core.models.catalog.library import Library, find_model
from core.models.download.bandwidth import BandwidthLimit
from core.models.download.hub import Hub
from core.models.download.transfer import DownloadProgress, Stage, TransferOptions
from core.paths import Home
from tests.fake_model_hub import TOKEN, FakeModelHub
from tests.fetching import ID, PLENTY, WEIGHTS, Fetching, drafts


async def test_a_dropped_connection_is_taken_up_where_it_broke(
    home: Home, hub: FakeModelHub
) -> None:
    """Three drops cost no byte twice: only the rest is asked for."""
    hub.trouble.drops = {WEIGHTS: [10_000, 20_000, 5_000], "tokenizer.json": [100]}
    await Fetching(home, hub).fetch()
    assert hub.served[WEIGHTS] == len(hub.files[WEIGHTS])
    assert [wish for name, wish in hub.ranges if name == WEIGHTS] == [
        "bytes=10000-",
        "bytes=30000-",
        "bytes=35000-",
    ]


async def test_what_is_being_done_is_told(home: Home, hub: FakeModelHub) -> None:
    """Streaming, waiting for another try, and reading what came."""
    hub.trouble.drops = {WEIGHTS: [10_000]}
    fetching, entered = Fetching(home, hub), list[Stage]()
    fetching.options = replace(fetching.options, on_stage=entered.append)
    await fetching.fetch()
    assert entered[-5:] == ["verifying", "downloading", "waiting", "downloading", "verifying"]


async def test_a_line_that_brings_nothing_is_given_up(home: Home, hub: FakeModelHub) -> None:
    """Then the next try goes on with what had come before."""
    hub.trouble.drops = {WEIGHTS: [10_000, 0, 0, 0, 0]}
    with pytest.raises(ModelError, match="goes on where it stopped"):
        await Fetching(home, hub).fetch()
    assert 10_000 in drafts(home).values()
    assert Library(home.models).manifests() == []
    hub.trouble.drops = {}
    await Fetching(home, hub).fetch()
    assert hub.served[WEIGHTS] == len(hub.files[WEIGHTS])


async def test_a_hub_that_ignores_ranges_still_serves(home: Home, hub: FakeModelHub) -> None:
    """The file then starts again from its beginning."""
    hub.trouble.drops = {WEIGHTS: [10_000]}
    hub.trouble.ignores_ranges = True
    fetching = Fetching(home, hub)
    manifest = await fetching.fetch()
    assert fetching.library.damaged(manifest) == []
    assert fetching.reports[-1] == (manifest.size, manifest.size)


async def test_a_page_in_place_of_the_rest_costs_nothing_that_came(
    home: Home, hub: FakeModelHub
) -> None:
    """A network that wants a login answers whatever is asked, and with status 200."""
    hub.trouble.drops = {WEIGHTS: [10_000]}
    hub.trouble.has_page_for_ranges = True
    with pytest.raises(ModelError, match="goes on where it stopped"):
        await Fetching(home, hub).fetch()
    assert 10_000 in drafts(home).values()
    hub.trouble.has_page_for_ranges = False
    await Fetching(home, hub).fetch()
    assert hub.served[WEIGHTS] == len(hub.files[WEIGHTS])


async def test_a_part_that_nothing_can_be_added_to_is_thrown_away(
    home: Home, hub: FakeModelHub
) -> None:
    """Or a hub that sends only wholes, without their length, would never be asked for one."""
    hub.trouble.drops = {WEIGHTS: [10_000]}
    hub.trouble.ignores_ranges = hub.trouble.tells_no_length = True
    for words in ("goes on where it stopped", "it begins anew"):
        with pytest.raises(ModelError, match=words):
            await Fetching(home, hub).fetch()
    assert 10_000 not in drafts(home).values()
    await Fetching(home, hub).fetch()
    assert find_model(ID, home).id == ID


async def test_errors_of_the_hub_pass(home: Home, hub: FakeModelHub) -> None:
    """A few answers of 500 are waited out."""
    hub.trouble.errors.update({WEIGHTS: 3, "config.json": 2})
    await Fetching(home, hub).fetch()
    assert find_model(ID, home).id == ID


@pytest.mark.parametrize("name", [WEIGHTS, "tokenizer.json"])
async def test_a_file_with_another_hash_is_thrown_away(
    home: Home, hub: FakeModelHub, name: str
) -> None:
    """One bit is enough; the others are kept for the next try."""
    hub.trouble.changed.add(name)
    with pytest.raises(ModelError, match=f"{name} of .* is not the one .* thrown away"):
        await Fetching(home, hub).fetch()
    assert not any(left.startswith(name) for left in drafts(home))
    assert Library(home.models).manifests() == []
    hub.trouble.changed.clear()
    await Fetching(home, hub).fetch()
    assert hub.served["config.json"] == len(hub.files["config.json"])


async def test_a_damaged_file_of_the_right_size_is_counted_once(
    home: Home, hub: FakeModelHub
) -> None:
    """It is read to the end before it is known to be none: the progress may not pass the total."""
    fetching = Fetching(home, hub)
    with fetching.library.draft(ID) as draft:
        (draft / WEIGHTS).write_bytes(b"x" * len(hub.files[WEIGHTS]))
    manifest = await fetching.fetch()
    assert max(fetching.reports) == fetching.reports[-1] == (manifest.size, manifest.size)


@pytest.mark.parametrize("off", [-1000, 1000])
async def test_a_file_of_another_size_is_refused(home: Home, hub: FakeModelHub, off: int) -> None:
    """Longer or shorter than announced: thrown away."""
    hub.trouble.sizes[WEIGHTS] = len(hub.files[WEIGHTS]) + off
    with pytest.raises(ModelError, match="is not the one that the hub announced"):
        await Fetching(home, hub).fetch()
    assert not any(left.startswith(WEIGHTS) for left in drafts(home))


async def test_room_is_looked_at_on_the_way(
    home: Home, hub: FakeModelHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others fill the disk meanwhile: the download stops and keeps what came."""
    monkeypatch.setattr("core.models.download.transfer._LOOK_EVERY", 1000)
    room = iter([PLENTY, PLENTY])
    fetching = Fetching(home, hub)
    fetching.options = TransferOptions(fetching.options.hub, (), lambda _: next(room, 1000))
    with pytest.raises(DiskFullError, match="no room"):
        await fetching.fetch()
    assert drafts(home)
    assert fetching.library.manifests() == []


async def test_the_token_stays_with_its_hub(home: Home, hub: FakeModelHub) -> None:
    """Where the hub sends us for the weights, the token does not go."""
    hub.trouble.needs_token = True
    await Fetching(home, hub, TOKEN).fetch()
    assert hub.served[WEIGHTS]
    assert hub.tokens_at_store == []


async def test_a_netrc_file_is_left_alone(
    home: Home, hub: FakeModelHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its passwords go nowhere unasked, and do not get in the way of the token."""
    netrc = tmp_path / "netrc"
    netrc.write_text("default login me password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    hub.trouble.needs_token = True
    await Fetching(home, hub, TOKEN).fetch()
    assert set(hub.tokens) == {None, f"Bearer {TOKEN}"}
    assert hub.tokens_at_store == []


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refusal_from_elsewhere_is_no_word_of_the_hub(
    home: Home, hub: FakeModelHub, status: int
) -> None:
    """An address that ran out, or a firewall: no licence would help, another try may."""
    hub.trouble.store_status = status
    fetching = Fetching(home, hub)
    fetching.options = TransferOptions(Hub(lambda: pytest.fail("nobody needs it"), hub.url), (0.0,))
    with pytest.raises(ModelError, match="goes on where it stopped"):
        await fetching.fetch()
    assert requests(hub) == 2


async def test_a_trickle_is_given_up(
    home: Home, hub: FakeModelHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few bytes each time would go on for days; enough of them start the count anew."""
    monkeypatch.setattr("core.models.download.transfer._PROGRESS", 1000)
    hub.trouble.drops = {WEIGHTS: [100] * 20}
    with pytest.raises(ModelError, match="goes on where it stopped"):
        await Fetching(home, hub).fetch()
    assert hub.served[WEIGHTS] == 400  # one try, and one after each of three pauses
    hub.trouble.drops = {WEIGHTS: [400] * 20}
    await Fetching(home, hub).fetch()


async def test_a_part_that_begins_elsewhere_is_not_taken(home: Home, hub: FakeModelHub) -> None:
    """It would be thrown away at the end, gigabytes later."""
    hub.trouble.drops = {WEIGHTS: [10_000]}
    hub.trouble.shifts_ranges = 1
    with pytest.raises(ModelError, match="goes on where it stopped"):
        await Fetching(home, hub).fetch()
    assert 10_000 in drafts(home).values()
    hub.trouble.shifts_ranges = 0
    await Fetching(home, hub).fetch()


async def test_a_limit_holds_for_all_that_comes(home: Home, hub: FakeModelHub) -> None:
    """A download takes its share of the line, and every byte of it counts."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    fetching = Fetching(home, hub)
    fetching.options = replace(
        fetching.options, bandwidth=BandwidthLimit(1_000, lambda: 0.0, sleep)
    )
    await fetching.fetch()
    assert slept[-1] == pytest.approx(sum(hub.served.values()) / 1_000)  # by a clock that stands


async def test_bytes_are_taken_as_they_come(home: Home, hub: FakeModelHub) -> None:
    """Whatever the hub calls them: the hash decides."""
    hub.trouble.says_gzip = True
    fetching = Fetching(home, hub)
    assert fetching.library.damaged(await fetching.fetch()) == []


async def test_nothing_is_removed_while_it_is_open(
    home: Home, hub: FakeModelHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows refuses that; here the system is made to."""
    unlink = Path.unlink

    def unlink_as_windows_does(path: Path, *, missing_ok: bool = False) -> None:
        if str(path.resolve()) in {file.path for file in psutil.Process().open_files()}:
            raise PermissionError(errno.EACCES, "used by another process", str(path))
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink_as_windows_does)
    hub.trouble.sizes[WEIGHTS] = len(hub.files[WEIGHTS]) - 1000
    with pytest.raises(ModelError, match="is not the one that the hub announced"):
        await Fetching(home, hub).fetch()


async def test_a_disk_that_fills_up_says_what_is_kept(
    home: Home, hub: FakeModelHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what to do then: nothing is said of rounds, since there were none."""

    def refuse(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(DiskFullError, match="came in is kept, and it goes on") as caught:
        await Fetching(home, hub).fetch()
    assert "round" not in str(caught.value)


@asynccontextmanager
async def untrusted(folder: Path) -> AsyncIterator[str]:
    """A server with a certificate that it signed itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "nobody")])
    now = dt.datetime.now(dt.UTC)
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    path = folder / "self-signed.pem"
    path.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(pem)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    runner = web.AppRunner(web.Application())
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
    try:
        yield f"https://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def test_a_certificate_that_nobody_vouches_for_is_told_at_once(
    home: Home, hub: FakeModelHub, tmp_path: Path
) -> None:
    """Trying again would not help; a wrong clock and a company's inspection are the causes."""
    async with untrusted(tmp_path) as url:
        hub.trouble.store_url = url
        with pytest.raises(ModelError, match=r"certificate .* cannot be trusted.*SSL_CERT_FILE"):
            await Fetching(home, hub).fetch()
    assert requests(hub) == 1


async def test_a_certificate_that_the_person_vouches_for_is_trusted(
    home: Home, hub: FakeModelHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the message advises; what is missing there is another matter."""
    async with untrusted(tmp_path) as url:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "self-signed.pem"))
        hub.trouble.store_url = url
        with pytest.raises(ModelError, match="the error 404"):
            await Fetching(home, hub).fetch()


async def test_a_line_that_cannot_be_encrypted_is_told_at_once(
    home: Home, hub: FakeModelHub
) -> None:
    """TLS to a server that has none."""
    hub.trouble.store_url = hub.url.replace("http:", "https:")
    with pytest.raises(ModelError, match="No encrypted line"):
        await Fetching(home, hub).fetch()
    assert requests(hub) == 1


@pytest.mark.parametrize("url", ["ftp://127.0.0.1", "http://[::bad", "http://"])
async def test_an_address_that_is_none_is_told_at_once(
    home: Home, hub: FakeModelHub, url: str
) -> None:
    """Nobody waits half a minute for it."""
    hub.trouble.store_url = url
    with pytest.raises(ModelError, match="an address that is none"):
        await Fetching(home, hub).fetch()
    assert requests(hub) == 1


async def test_a_proxy_that_wants_a_password_is_told_at_once(home: Home, hub: FakeModelHub) -> None:
    """As it answers on a line that is not encrypted."""
    hub.trouble.store_status = 407
    with pytest.raises(ModelError, match=r"proxy .* Settings, .* HTTPS_PROXY"):
        await Fetching(home, hub).fetch()
    assert requests(hub) == 1


async def test_a_password_in_the_proxys_address_is_shown_to_it(
    home: Home, hub: FakeModelHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the message advises; on lines that are not to be sent there, it is not."""
    heard: list[str] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as proxy:
        port = proxy.sockets[0].getsockname()[1]
        monkeypatch.setenv("no_proxy", "localhost")

        def go_through(_spec: ModelSpec) -> None:  # the description is there by then
            monkeypatch.setenv("http_proxy", f"me:p%40ss@127.0.0.1:{port}")

        hub.trouble.store_url = "http://store.invalid"
        with pytest.raises(ModelError, match="The proxy of your network asks"):
            await Fetching(home, hub).fetch(consider=go_through)
    (request,) = heard
    assert "Basic " + base64.b64encode(b"me:p@ss").decode() in request


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "http://[::bad", "http://a:port"])
async def test_a_proxy_that_is_none_is_told_at_once(
    home: Home, hub: FakeModelHub, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    """With the settings to look at."""
    monkeypatch.setenv("no_proxy", "localhost")

    def go_through(_spec: ModelSpec) -> None:
        monkeypatch.setenv("http_proxy", proxy)

    with pytest.raises(ModelError, match=r"an address that is none .* proxy settings"):
        await Fetching(home, hub).fetch(consider=go_through)
    assert requests(hub) == 1


async def test_a_proxy_before_an_encrypted_line_is_told_at_once(
    home: Home, hub: FakeModelHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it answers when asked for one."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as proxy:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
        hub.trouble.store_url = "https://store.invalid"
        with pytest.raises(ModelError, match=r"proxy .* Settings, .* HTTPS_PROXY"):
            await Fetching(home, hub).fetch()
    assert requests(hub) == 1


def requests(hub: FakeModelHub) -> int:
    """How often the weights were asked for."""
    return hub.asked[WEIGHTS]


def test_what_is_there_is_told_with_what_there_will_be() -> None:
    """Also where something had to be dropped, and where less is needed than was thought."""
    told: list[tuple[int, int]] = []
    progress = DownloadProgress(100, lambda done, total: told.append((done, total)))
    progress.add(60)
    progress.add(-10)
    progress.leave_out(40)
    progress.add(10)
    assert told == [(60, 100), (50, 100), (60, 60)]


def test_what_is_being_done_is_passed_on() -> None:
    """In the order in which it is done."""
    entered: list[Stage] = []
    progress = DownloadProgress(100, lambda *_: None, entered.append)
    progress.enter("downloading")
    progress.enter("verifying")
    assert entered == ["downloading", "verifying"]
