"""Asking a real TUF repository over loopback, with everything that may go wrong on the way."""

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPResponse
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest
from tuf.api.exceptions import DownloadError, DownloadLengthMismatchError

from core.errors import DiskFullError, UpdateError
from core.updates.client import UpdateClient, append
from core.updates.transport import StoppedError, Transport
from tests.update_source import UpdateSource

NAME = "waggle-0.2.0-linux-x86_64.tar.xz"


@pytest.fixture
def ask(source: UpdateSource, tmp_path: Path) -> Callable[[], UpdateClient]:
    """A fresh client that remembers what those before it have seen."""

    def make() -> UpdateClient:
        return UpdateClient(source.source(), tmp_path / "seen", Transport(Event()), (0.0, 0.0))

    return make


Ask = Callable[[], UpdateClient]


class ReadTransport(Transport):
    """Remembers of which answers it read the body."""

    def __init__(self) -> None:
        super().__init__(Event())
        self.read: list[str] = []

    def chunks(self, response: HTTPResponse) -> Iterator[bytes]:
        self.read.append(response.url)
        return super().chunks(response)


def silent(_done: int, _total: int) -> None:
    """Nobody wants to know."""


def state_of(source: UpdateSource, kept: Path) -> Path:
    """A copy of the repository's metadata as it is now."""
    shutil.copytree(source.web / "metadata", kept)
    return kept


def serve(source: UpdateSource, kept: Path) -> None:
    """Serve that copy instead."""
    shutil.rmtree(source.web / "metadata")
    shutil.copytree(kept, source.web / "metadata")


def test_what_was_released_is_found_and_fetched(source: UpdateSource, ask: Ask) -> None:
    """Whole, and with progress up to the last byte."""
    archive = source.release("0.2.0")
    client, told = ask(), []
    assert client.look() == [NAME]
    assert client.size_of(NAME) == archive.stat().st_size
    path = client.fetch(NAME, lambda *sizes: told.append(sizes))
    assert path.read_bytes() == archive.read_bytes()
    assert told[-1] == (client.size_of(NAME), client.size_of(NAME))


def test_nothing_released_is_nothing_found(ask: Ask) -> None:
    """An empty repository is a good one."""
    assert ask().look() == []


def test_a_broken_line_goes_on_where_it_broke(source: UpdateSource, ask: Ask) -> None:
    """No byte is fetched twice."""
    archive = source.release("0.2.0")
    source.trouble.cuts[NAME] = [10_000, 20_000]
    path = ask().fetch(NAME, silent)
    assert path.read_bytes() == archive.read_bytes()
    assert source.ranges == ["bytes=10000-", "bytes=30000-"]
    assert sum(n for p, n in source.served.items() if NAME in p) == archive.stat().st_size


def test_another_start_goes_on_with_what_is_there(source: UpdateSource, ask: Ask) -> None:
    """Also where the one before gave up."""
    archive = source.release("0.2.0")
    source.trouble.cuts[NAME] = [10_000, 0, 0, 0, 0]
    with pytest.raises(UpdateError, match="cannot be reached"):
        ask().fetch(NAME, silent)
    source.trouble.cuts.clear()
    assert ask().fetch(NAME, silent).read_bytes() == archive.read_bytes()
    assert source.ranges[-1] == "bytes=10000-"


def test_a_server_without_ranges_is_asked_for_all_of_it(source: UpdateSource, ask: Ask) -> None:
    """What was there is written over."""
    archive = source.release("0.2.0")
    source.trouble.ignores_ranges = True
    source.trouble.cuts[NAME] = [10_000]
    assert ask().fetch(NAME, silent).read_bytes() == archive.read_bytes()


def test_a_page_in_place_of_the_rest_costs_nothing_that_came(
    source: UpdateSource, ask: Ask, tmp_path: Path
) -> None:
    """A network that wants a login answers whatever is asked, and with status 200."""
    source.release("0.2.0")
    source.trouble.cuts[NAME] = [10_000]
    source.trouble.has_page_for_ranges = True
    with pytest.raises(UpdateError, match="cannot be reached"):
        ask().fetch(NAME, silent)
    (part,) = (tmp_path / "seen" / "packages").iterdir()
    assert part.stat().st_size == 10_000


def test_a_part_that_nothing_can_be_added_to_is_thrown_away(source: UpdateSource, ask: Ask) -> None:
    """Or a server that sends only wholes, without their length, would never be asked for one."""
    archive = source.release("0.2.0")
    source.trouble.ignores_ranges = source.trouble.tells_no_length = True
    source.trouble.cuts[NAME] = [10_000]
    with pytest.raises(UpdateError, match="cannot be reached"):
        ask().fetch(NAME, silent)
    assert ask().fetch(NAME, silent).read_bytes() == archive.read_bytes()


def test_a_tampered_package_is_thrown_away(source: UpdateSource, ask: Ask, tmp_path: Path) -> None:
    """And a sound one can be had afterwards."""
    archive = source.release("0.2.0")
    source.trouble.changed.add(NAME)
    with pytest.raises(UpdateError, match="not what the makers"):
        ask().fetch(NAME, silent)
    assert list((tmp_path / "seen" / "packages").iterdir()) == []
    source.trouble.changed.clear()
    assert ask().fetch(NAME, silent).read_bytes() == archive.read_bytes()


def test_a_package_that_grew_is_refused(source: UpdateSource, tmp_path: Path) -> None:
    """Before any of it is read."""
    source.release("0.2.0")
    source.trouble.longer.add(NAME)
    transport = ReadTransport()
    with pytest.raises(UpdateError):
        UpdateClient(source.source(), tmp_path / "seen", transport, ()).fetch(NAME, silent)
    assert transport.read
    assert not [url for url in transport.read if NAME in url]
    assert list((tmp_path / "seen" / "packages").iterdir()) == []


def test_what_lies_here_is_proven_again(source: UpdateSource, ask: Ask) -> None:
    """A package that changed on this disk is fetched anew; a sound one is not."""
    archive = source.release("0.2.0")
    path = ask().fetch(NAME, silent)
    served = source.served.total()
    ask().fetch(NAME, silent)
    assert source.served.total() - served < 10_000
    path.write_bytes(b"x" * archive.stat().st_size)
    assert ask().fetch(NAME, silent).read_bytes() == archive.read_bytes()


@pytest.mark.parametrize("role", ["root", "targets", "snapshot", "timestamp"])
def test_tampered_metadata_is_refused(source: UpdateSource, ask: Ask, role: str) -> None:
    """Whichever role it is of."""
    source.release("0.2.0")
    source.repository.rotate("root")
    source.trouble.changed.add(f"{role}.json")
    with pytest.raises(UpdateError):
        ask().look()


@pytest.mark.parametrize("role", ["timestamp", "targets", "root"])
def test_expired_metadata_is_refused(source: UpdateSource, ask: Ask, role: str) -> None:
    """A source that is frozen in time cannot hide newer releases for ever."""
    long_ago = source.made(datetime.now(UTC) - timedelta(days=10_000))
    long_ago.rotate(role) if role == "root" else long_ago.renew()
    if role == "targets":
        long_ago.add([])
        (source.keys / "targets-1.pem").unlink()  # or it would be signed anew, too
        source.repository.renew()
    with pytest.raises(UpdateError, match="not been renewed"):
        ask().look()


def test_older_metadata_is_refused(source: UpdateSource, ask: Ask, tmp_path: Path) -> None:
    """Once something newer was seen; signed as it is."""
    before = state_of(source, tmp_path / "before")
    source.release("0.2.0")
    assert ask().look() == [NAME]
    serve(source, before)
    with pytest.raises(UpdateError, match="older"):
        ask().look()


def test_mixed_metadata_is_refused(source: UpdateSource, ask: Ask, tmp_path: Path) -> None:
    """Each file is signed, and they do not belong together."""
    source.release("0.2.0")
    old = state_of(source, tmp_path / "old")
    source.release("0.3.0")
    shutil.copy(old / "2.targets.json", source.web / "metadata" / "3.targets.json")
    with pytest.raises(UpdateError):
        ask().look()


def test_keys_can_be_rotated(source: UpdateSource, ask: Ask) -> None:
    """A Waggle that knows the first root follows the chain to the third."""
    source.repository.rotate("root")
    source.repository.rotate("root")
    for role in ("targets", "snapshot", "timestamp"):
        source.repository.rotate(role)
    source.release("0.2.0")
    assert ask().look() == [NAME]
    assert ask().look() == [NAME]


def test_revoked_keys_count_for_nothing(source: UpdateSource, ask: Ask, tmp_path: Path) -> None:
    """Whoever stole them cannot release anything any more."""
    stolen = tmp_path / "stolen"
    shutil.copytree(source.keys, stolen)
    thief = tmp_path / "thief"
    shutil.copytree(source.web, thief)
    for role in ("root", "targets", "snapshot", "timestamp"):
        source.repository.rotate(role)
    keys = source.script.Keys([stolen])
    forged = tmp_path / NAME
    forged.write_bytes(b"evil")
    source.script.Repository(thief, keys, source.root).add([forged])
    for name in ("timestamp.json", "2.snapshot.json", "2.targets.json"):
        shutil.copy(thief / "metadata" / name, source.web / "metadata" / name)
    with pytest.raises(UpdateError, match="not signed"):
        ask().look()


def test_a_root_that_only_the_new_keys_signed_is_refused(
    source: UpdateSource, ask: Ask, tmp_path: Path
) -> None:
    """Anybody can make keys; the old ones have to say that they follow."""
    other = UpdateSource(tmp_path / "other")
    other.repository.rotate("root")
    shutil.copy(other.web / "metadata" / "2.root.json", source.web / "metadata" / "2.root.json")
    with pytest.raises(UpdateError, match="not signed"):
        ask().look()


def test_an_endless_answer_is_cut_off(source: UpdateSource, ask: Ask) -> None:
    """Metadata has its greatest size."""
    (source.web / "metadata" / "timestamp.json").write_bytes(b" " * 20_000)
    with pytest.raises(UpdateError):
        ask().look()


@pytest.mark.parametrize("status", [403, 404, 500])
def test_a_server_in_trouble_changes_nothing(source: UpdateSource, ask: Ask, status: int) -> None:
    """It is told in words, and another time it may go well."""
    source.release("0.2.0")
    source.trouble.errors["timestamp"] = status
    with pytest.raises(UpdateError, match="cannot be reached"):
        ask().look()
    source.trouble.errors.clear()
    assert ask().look() == [NAME]


def test_what_is_not_offered_cannot_be_fetched(ask: Ask) -> None:
    """Nor measured."""
    with pytest.raises(UpdateError, match="no longer offered"):
        ask().size_of(NAME)


def test_older_packages_are_cleared_away(source: UpdateSource, ask: Ask, tmp_path: Path) -> None:
    """When a newer one is fetched, or none is of use any more."""
    source.release("0.2.0")
    ask().fetch(NAME, silent)
    source.release("0.3.0")
    ask().fetch(NAME.replace("0.2.0", "0.3.0"), silent)
    packages = tmp_path / "seen" / "packages"
    assert [path.name for path in packages.iterdir()] == ["waggle-0.3.0-linux-x86_64.tar.xz"]
    ask().forget_packages()
    assert list(packages.iterdir()) == []


def test_a_cancelled_download_keeps_what_came(source: UpdateSource, tmp_path: Path) -> None:
    """It ends between two pieces, and nothing is written afterwards."""
    source.release("0.2.0")
    stop = Event()
    client = UpdateClient(source.source(), tmp_path / "seen", Transport(stop), ())
    client.look()
    stop.set()
    with pytest.raises(StoppedError):
        client.fetch(NAME, silent)
    parts = list((tmp_path / "seen" / "packages").iterdir())
    assert [path.suffix for path in parts] == [".part"]


DATA = bytes(range(256)) * 100


@pytest.fixture
def url(source: UpdateSource) -> str:
    (source.web / "data").write_bytes(DATA)
    return f"{source.url}data"


def take(url: str, part: Path, size: int = len(DATA)) -> list[tuple[int, int]]:
    told: list[tuple[int, int]] = []
    append(Transport(Event()), url, part, size, lambda *sizes: told.append(sizes))
    return told


def test_the_rest_is_written_behind_what_is_there(url: str, tmp_path: Path) -> None:
    """And progress counts both."""
    part = tmp_path / "part"
    part.write_bytes(DATA[:1_000])
    assert take(url, part)[-1] == (len(DATA), len(DATA))
    assert part.read_bytes() == DATA


def test_what_came_before_the_line_broke_is_kept(
    source: UpdateSource, url: str, tmp_path: Path
) -> None:
    """It is told as a failed download."""
    source.trouble.cuts["data"] = [5_000]
    with pytest.raises(DownloadError):
        take(url, tmp_path / "part")
    assert (tmp_path / "part").read_bytes() == DATA[:5_000]


def test_more_than_was_signed_is_refused(url: str, tmp_path: Path) -> None:
    """Before any of it is read."""
    transport = ReadTransport()
    with pytest.raises(DownloadLengthMismatchError):
        append(transport, url, tmp_path / "part", 100, silent)
    assert transport.read == []
    assert not (tmp_path / "part").exists()


def test_a_full_disk_is_told_first(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what is needed, and what is free."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10**8))
    with pytest.raises(DiskFullError, match=r"5\d\d MB .* 100 MB are free"):
        take(url, tmp_path / "part")
