"""Another node in words."""

import pytest
from msgspec.structs import replace

from app.pages.swarm.person_view_model import person_view_model
from app.state.model_choices import ModelChoice, load_known
from core.api.swarm_view import SeenPeer
from tests.app.pages.swarm.samples import ANNE, PEERS

KNOWN = {one.id: one for one in load_known()}
HERE = PEERS[0]


def test_who_is_here_is_said_with_its_model_and_its_way() -> None:
    """A model that Waggle knows goes by its title and its size."""
    looks = person_view_model(HERE, KNOWN)
    assert (looks.name, looks.state, looks.is_here) == ("amber-finch-27", "here", True)
    assert looks.about == "Spark, 2.2 million parameters · on this network"


@pytest.mark.parametrize(
    ("where", "words"),
    [("near", "on this network"), ("internet", "over the internet"), ("hub", "by a meeting point")],
)
def test_every_way_has_its_words(where: str, words: str) -> None:
    """None of them in jargon."""
    peer = replace(HERE, model="", where=where)
    assert person_view_model(peer, KNOWN).about == words


@pytest.mark.parametrize(
    ("received", "taught", "words"),
    [
        (40, 12, "12 of its 40 tries taught your model something."),
        (1_203, 0, "None of its 1,203 tries has taught your model something yet."),
        (40, 1, "1 of its 40 tries taught your model something."),
        (1, 1, "Its one try taught your model something."),
        (1, 0, "Its one try has taught your model nothing yet."),
        (0, 0, "None of its tries has come here yet."),
    ],
)
def test_how_useful_it_was_is_said(received: int, taught: int, words: str) -> None:
    """As figures of its tries."""
    peer = replace(HERE, received=received, taught=taught)
    assert person_view_model(peer, KNOWN).use == words


def test_who_is_silent_is_said_with_when_it_was_heard() -> None:
    """So that a person can judge whether it comes back."""
    looks = person_view_model(PEERS[1], KNOWN)
    assert (looks.state, looks.is_here) == ("silent", False)
    assert " · last heard " in looks.about


def test_who_is_blocked_and_was_never_met_has_a_name_and_no_more() -> None:
    """Nothing is known of it."""
    looks = person_view_model(SeenPeer(peer=ANNE, name="a-b-10", state="blocked"), KNOWN)
    assert (looks.state, looks.about, looks.use) == ("blocked", "", "Nothing of it is looked at.")
    assert looks.is_blocked


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("qwen2.5-0.5b", "Qwen2.5 0.5B, 494 million parameters"),  # on this computer or not
        ("somebody--own", "somebody/Own"),
        ("ember\u202e\n" + "x" * 100, None),
    ],
)
def test_a_model_is_said_as_far_as_it_is_known(model: str, words: str | None) -> None:
    """One that was fetched by its name has no size here; a stranger's word plays no tricks."""
    own = ModelChoice(id="somebody--own", title="somebody/Own", repo="somebody/Own")
    about = person_view_model(replace(HERE, model=model, where=""), {**KNOWN, own.id: own}).about
    if words is not None:
        assert about == words
    else:
        assert about.replace("\u200b", "").isprintable()
        assert len(about) < 90


def test_a_long_name_of_a_model_can_be_broken() -> None:
    """It was chosen by a stranger."""
    words = person_view_model(PEERS[1], KNOWN).about.replace("\u200b", " ").split()
    assert max(map(len, words)) < 40
