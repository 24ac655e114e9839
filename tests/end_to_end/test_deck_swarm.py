"""A private swarm that practises a deck, as its author and a guest would run it."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.api.events import RoundFinished
from core.cli.main import main
from core.decks.library import DeckLibrary
from core.wire.invite import PREFIX
from tests.swarm_decks import deck_data
from tests.waggle_process import Process, hub, waggle

# More than the author has learnt before the guest has started: what is mastered teaches nobody.
DATA = deck_data("Small sums", cards=5_000)


def invited(home: Path, url: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The link of an invite to the deck of the author at ``home``."""
    DeckLibrary(home / "decks").install(DATA)
    words = ("--name", "class", "--hub", url, "--deck", "Small sums", "--home", str(home))
    assert main(["invite", "new", *words]) == 0
    return next(line for line in capsys.readouterr().out.splitlines() if line.startswith(PREFIX))


def joining(link: str, seed: int, *more: str) -> tuple[str, ...]:
    quick = ("--model", "spark", "--threads", "1", "--seed", str(seed), "--no-lan", "--json")
    return ("join", "--swarm", link, *quick, *more)


def until_learnt(node: Process) -> RoundFinished:
    """Its first round that trained on what others tried."""
    return node.wait_for(RoundFinished, lambda played: played.useful_swarm > 0)


def until_heard(node: Process) -> RoundFinished:
    """Its first round in which it judged what others tried."""
    return node.wait_for(RoundFinished, lambda played: played.swarm_groups > 0)


@pytest.mark.slow
@pytest.mark.parametrize("fate", ["keeps", "loses"])
def test_two_practise_a_deck_and_hear_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fate: str
) -> None:
    """The guest was sent a link and nothing else, and learns; its author may know it all by then.

    Also where the hub has lost the deck meanwhile: the author, who starts first, brings it back.
    """
    with hub(tmp_path / "hub") as (first, url):
        link = invited(tmp_path / "author", url, capsys)
        first.kill()
    if fate == "loses":
        shutil.rmtree(tmp_path / "hub" / "hub.sqlite-decks")
    else:
        (kept,) = (tmp_path / "hub" / "hub.sqlite-decks").iterdir()
        assert b"sums" not in kept.read_bytes()
    there = ("--hub", url)  # an address on this computer has to be agreed to
    with (
        hub(tmp_path / "hub", int(url.rpartition(":")[2])),
        ThreadPoolExecutor(1) as reader,
        waggle(tmp_path / "author", *joining(link, 1, *there)) as author,
    ):
        author.wait_for(RoundFinished)
        reading = reader.submit(until_heard, author)
        with waggle(tmp_path / "guest", *joining(link, 2, *there, "--agree-to-decks")) as guest:
            assert until_learnt(guest).useful_local >= 0
            assert reading.result().swarm_groups > 0
            for node in (guest, author):
                node.interrupt()
            assert (guest.wait(), author.wait()) == (0, 0), guest.errors()
    library = DeckLibrary(tmp_path / "guest" / "decks")
    assert [library.is_of_others(deck) for deck in library.decks()] == [True]
