"""``waggle skills``."""

import json
from pathlib import Path

from core.api.skills import AHEAD, CellSkill
from core.cli.skills import _figure
from core.engine.ports import Progress
from core.paths import RESOURCES, Home
from core.rollouts.taught import CellHistory
from core.training.checkpoint_notes import CheckpointNote
from core.training.checkpoints import Checkpoint, CheckpointStore
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


def test_what_others_taught_is_said_below(typed: Typed, tmp_path: Path) -> None:
    """In one sentence, by the newest checkpoint; nothing before there is something."""
    assert "taught" not in typed("skills").out
    kept = Progress(1, 7, "sapo", taught={"lcm/1": CellHistory("taught")})
    store = CheckpointStore(Home(tmp_path).checkpoints / "spark")
    store.save(Checkpoint(CheckpointNote("spark", "base", kept), {}))
    told = typed("skills").out
    assert "taught your model a kind of puzzle at a level that it never solved alone." in told


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


def test_the_swarm_is_ahead_from_where_the_window_says_so() -> None:
    """Less is chance."""
    assert _figure(CellSkill(now=0.5, swarm=0.5 + AHEAD)).endswith("+")
    assert not _figure(CellSkill(now=0.5, swarm=0.5 + 0.9 * AHEAD)).endswith("+")
