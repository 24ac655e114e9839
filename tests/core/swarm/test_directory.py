"""The swarms that come with the program."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import SwarmError
from core.net.addresses import parse_hub_url
from core.settings import Settings
from core.swarm import directory
from core.swarm.directory import NamedHub, hubs_for, hubs_of, load_swarms
from core.wire.invite import Invite, InvitedHub, read_swarm


@pytest.fixture
def another_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of a program whose resources lie elsewhere."""
    monkeypatch.setattr(directory, "RESOURCES", tmp_path)
    load_swarms.cache_clear()
    yield tmp_path / "swarms.toml"
    load_swarms.cache_clear()


def test_the_listed_swarms_can_be_joined() -> None:
    """Each has a proper name of its own, words, and hubs with proper addresses."""
    swarms = load_swarms()
    assert len({swarm.name for swarm in swarms}) == len(swarms) > 0
    for swarm in swarms:
        assert read_swarm(swarm.name).keys is None
        assert swarm.title
        assert swarm.words
        assert all(parse_hub_url(url).url == url for url in swarm.hubs)


def test_the_first_one_is_the_one_to_begin_with() -> None:
    """It is that of a fresh settings file."""
    assert load_swarms()[0].name == Settings().swarm.name


def test_hubs_are_those_of_the_name(another_copy: Path) -> None:
    """None for a swarm that is not listed."""
    another_copy.write_text(
        '[[swarms]]\nname = "pond"\ntitle = "Pond"\nwords = "Wet."\nhubs = ["https://a.example"]\n'
    )
    assert hubs_of("pond") == ("https://a.example",)
    assert hubs_of("meadow") == ()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"swarms = 3",
        b'[[swarms]]\nname = "No Name"\ntitle = ""\nwords = ""',
        b'[[swarms]]\nname = "a"\ntitle = ""\nwords = ""\ncolour = "red"',
        b"[[swarms]",
        b'swarms = "\xff"',
        None,
    ],
)
def test_a_damaged_copy_says_so(another_copy: Path, data: bytes | None) -> None:
    """In a sentence that names the file and what to do."""
    if data is not None:
        another_copy.write_bytes(data)
    with pytest.raises(SwarmError, match=r"swarms\.toml cannot be read .* Install Waggle again"):
        load_swarms()


@pytest.mark.parametrize(
    ("named", "typed", "urls"),
    [
        (("http://a",), (), ["http://a"]),
        ((), ("http://b",), ["http://b"]),
        (("http://a",), ("http://b",), ["http://a", "http://b"]),
        ((), (), ["http://listed"]),
    ],
)
def test_listed_hubs_stand_in_where_none_is_named(
    another_copy: Path, named: tuple[str, ...], typed: tuple[str, ...], urls: list[str]
) -> None:
    """Whoever was invited or typed an address is led nowhere else."""
    another_copy.write_text(
        "[[swarms]]\nname = 'meadow'\ntitle = 't'\nwords = 'w'\nhubs = ['http://listed']\n"
    )
    invite = Invite(1, "meadow", tuple(InvitedHub(url) for url in named))
    assert [hub.url for hub in hubs_for(invite, typed)] == urls


@pytest.mark.parametrize(
    ("url", "stays"),
    [
        ("http://hub.example.org:8765", True),
        ("http://hub.example.org/waggle", True),
        ("http://8.8.8.8:8765", True),
        ("http://192.168.1.5:8765", False),
        ("http://nas.lan", False),
        ("http://localhost:8765", False),
        ("http://[1:2", False),
    ],
)
def test_a_public_name_of_an_invite_may_not_lead_inside(url: str, *, stays: bool) -> None:
    """Nobody was asked about it; who typed it knows, and so does who agreed to an inner address."""
    invite = Invite(1, "meadow", (InvitedHub(url),))
    assert hubs_for(invite, ()) == [NamedHub(url, stays_outside=stays)]
    assert hubs_for(invite, ("http://other.example",)) == [
        NamedHub(url, stays_outside=stays),
        NamedHub("http://other.example"),
    ]
    typed = url.replace("http", "HTTP") if stays else url
    assert not any(hub.stays_outside for hub in hubs_for(invite, (f"{typed}/",)))
