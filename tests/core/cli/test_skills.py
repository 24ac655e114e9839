"""``waggle skills``."""

import json

from core.paths import RESOURCES
from tests.commands import Typed


def test_every_kind_is_a_line(typed: Typed) -> None:
    """With its levels, and a legend below; as JSON, all that is known."""
    told = typed("skills")
    assert told.code == 0
    assert "lcm" in told.out
    assert "spark after 0 rounds" in told.out
    shown = json.loads(typed("skills", "ember", "--json").out)
    assert shown["model"] == "ember"
    assert len(shown["kinds"][0]["cells"]) > 2


def test_a_model_that_does_not_exist_is_explained(typed: Typed) -> None:
    """With those that there are."""
    told = typed("skills", "sparc")
    assert told.code != 0
    assert "spark" in told.err


def test_those_of_a_deck_can_be_asked_for(typed: Typed) -> None:
    """Whatever the settings practise; it stands there by its name."""
    assert typed("deck", "new", RESOURCES / "decks" / "tickets.csv").code == 0
    told = typed("skills", "--deck", "tickets")
    assert told.code == 0
    assert "tickets" in told.out
    assert "lcm" not in told.out
