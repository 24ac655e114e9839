"""``waggle skills``."""

import json

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
