"""Hubs and nodes of earlier days, on disk."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import HomeError
from core.swarm.address_book import MOST_BYTES, MOST_SWARMS, load_addresses, save_addresses
from core.swarm.membership import ROOM, Address, Membership, Source
from tests.envelopes import NOW, SWARM

HUB = Source(Address("https://hub.example.org"), "hub", "dht", last_good=NOW)
NODE = Source(Address("a" * 64), "node", "dht", host="192.0.2.7", port=40_123, last_good=NOW - 60)


def known(source: Source) -> Source:
    return Source(
        source.address,
        source.kind,
        "known",
        host=source.host,
        port=source.port,
        last_good=source.last_good,
    )


def test_what_was_kept_is_found_again(tmp_path: Path) -> None:
    """As known ones, in their order, with where they are and when they did well."""
    path = tmp_path / "sources.json"
    save_addresses(path, SWARM, [HUB, NODE])
    assert load_addresses(path, SWARM) == [known(HUB), known(NODE)]
    members = Membership()
    assert all(members.add(source) for source in load_addresses(path, SWARM))


def test_swarms_do_not_mix(tmp_path: Path) -> None:
    """Saving for one leaves the others; the one joined longest ago is forgotten first."""
    path = tmp_path / "sources.json"
    for number in range(MOST_SWARMS):
        save_addresses(path, f"swarm-{number}", [HUB])
    save_addresses(path, "swarm-0", [NODE])
    save_addresses(path, "one-more", [NODE])
    assert load_addresses(path, "swarm-0") == [known(NODE)]
    assert load_addresses(path, "swarm-1") == []
    assert load_addresses(path, "swarm-2") == [known(HUB)]
    save_addresses(path, "swarm-2", [])
    assert load_addresses(path, "swarm-2") == []


def test_no_file_is_nobody_known(tmp_path: Path) -> None:
    """As at first start."""
    assert load_addresses(tmp_path / "sources.json", SWARM) == []


def test_no_more_are_kept_than_there_is_room_for(tmp_path: Path) -> None:
    """And even the longest addresses fit into the bytes that are read again."""
    path = tmp_path / "sources.json"
    many = [
        Source(Address("h" * 297 + f"{number:03}"), "hub", "dht", host="x" * 255, last_good=NOW)
        for number in range(100)
    ]
    for number in range(MOST_SWARMS):
        save_addresses(path, f"swarm-{number}", many)
    assert path.stat().st_size < MOST_BYTES
    found = load_addresses(path, "swarm-0")
    assert [one.address for one in found] == [one.address for one in many[: ROOM["known"]]]


def test_who_was_kept_by_an_earlier_release_is_not_asked_again(tmp_path: Path) -> None:
    """The person may have named them and then removed them; the file itself is no damaged one."""
    path = tmp_path / "sources.json"
    save_addresses(path, "orchard", [NODE])
    kept = msgspec.json.decode(path.read_bytes())
    path.write_bytes(msgspec.json.encode(kept | {SWARM: [ONE]}))
    assert load_addresses(path, SWARM) == []
    assert load_addresses(path, "orchard") == [known(NODE)]


ONE = {"address": "http://x", "kind": "hub", "last_good": 1.0}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'{"meadow": 7}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
        msgspec.json.encode({SWARM: [ONE | {"kind": "spy"}]}),
        msgspec.json.encode({SWARM: [ONE | {"run": "rm"}]}),
        msgspec.json.encode({SWARM: [ONE | {"port": 70_000}]}),
        msgspec.json.encode({SWARM: [ONE | {"address": "x" * 301}]}),
        msgspec.json.encode({SWARM: [ONE] * 10_000}),
    ],
)
def test_a_damaged_file_is_nobody_known(tmp_path: Path, content: bytes) -> None:
    """And the next time something is kept it is whole again."""
    path = tmp_path / "sources.json"
    path.write_bytes(content)
    assert load_addresses(path, SWARM) == []
    save_addresses(path, SWARM, [HUB])
    assert load_addresses(path, SWARM) == [known(HUB)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # the file is written anew
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_survived(tmp_path: Path, content: bytes) -> None:
    """Nothing is raised, whatever became of the file."""
    path = tmp_path / "sources.json"
    path.write_bytes(content)
    load_addresses(path, SWARM)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """With what to do; a folder in place of the file is nobody known."""
    with pytest.raises(HomeError):
        save_addresses(tmp_path / "no" / "sources.json", SWARM, [HUB])
    assert load_addresses(tmp_path, SWARM) == []
