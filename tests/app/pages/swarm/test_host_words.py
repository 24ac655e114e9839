"""What hosting means, in words."""

from msgspec.structs import replace

from app.pages.swarm.host_words import beyond, company, meaning, reach
from tests.app.pages.swarm.samples import OPEN


def test_what_it_is_comes_before_the_switch() -> None:
    """What it does, what it does not, and how long it lasts."""
    for words in ("meet", "trains nothing", "ten minutes", "as long as this window"):
        assert words in meaning()


def test_every_address_is_told() -> None:
    """One that can be copied by hand."""
    words = reach(OPEN).replace("\u200b", "")
    assert words == "Open. Others find it at http://192.168.1.5:8765 or http://10.0.0.5:8765."
    assert " or " not in reach(replace(OPEN, addresses=OPEN.addresses[:1]))


def test_who_cannot_reach_it_is_told_too() -> None:
    """With the port that a router has to pass on."""
    assert "port 9000" in beyond("9000")


def test_visitors_are_counted() -> None:
    """In the singular, too."""
    assert company(0) == "Nobody has left anything there yet."
    assert company(1).startswith("1 computer ")
    assert company(1_000).startswith("1,000 computers ")
