"""What is said once a model has learnt out."""

from dataclasses import replace

from msgspec.structs import replace as replace_in

from app.state.advice import Advice, advice
from app.state.app_state import AppState
from app.state.intents import Open
from app.state.model_choices import ModelChoice
from core.api.events import Point, SwarmChanged
from core.api.state import NodeState
from core.settings import PracticeSettings, Settings

SPARK = ModelChoice(id="spark", title="Spark", parameters=1_500_000)
FLAT = tuple(Point(n, 0.4, None, at=20.0 * n) for n in range(10, 6_001, 10))
ALONE = AppState(choices=(SPARK,), chosen="spark", node=NodeState(points=FLAT))
COMPANY = SwarmChanged(reachable=True, peers=2, words="")
TOGETHER = replace(ALONE, node=NodeState(points=FLAT, swarm=COMPANY))


def test_nothing_is_said_of_a_model_that_still_gets_better() -> None:
    """Only of one that surely does not."""
    rising = tuple(replace_in(point, skill=point.round / 1e4) for point in FLAT)
    assert advice(replace(ALONE, node=NodeState(points=rising))) == Advice()


def test_a_larger_model_and_company_are_offered_first() -> None:
    """Company only to who has none."""
    alone, together = advice(ALONE), advice(replace(TOGETHER, largest=5_000_000))
    assert "3,000 rounds" in alone.words
    assert "others" in alone.words
    assert "others" not in together.words
    assert alone.where == together.where == Open("models")


def test_no_larger_model_is_offered_where_none_fits() -> None:
    """Then others may help, and other puzzles whoever has these."""
    assert advice(replace(ALONE, largest=SPARK.parameters)).where == Open("swarm")
    told = advice(replace(TOGETHER, largest=SPARK.parameters))
    assert "Other puzzles may have more to teach" in told.words
    assert told.where == Open("practice")


def test_a_model_that_solves_everything_wants_other_puzzles() -> None:
    """Its size is not what holds it up."""
    solved = tuple(replace_in(point, skill=0.99) for point in FLAT)
    told = advice(replace(ALONE, node=NodeState(points=solved), largest=5_000_000))
    assert "nearly all of these puzzles" in told.words
    assert told.where == Open("practice")


def test_one_level_is_what_is_changed_first() -> None:
    """Files of earlier releases hold level 1, which nobody chose."""
    for level, then in ((1, "goes on to harder puzzles"), (9, "begins where it can learn")):
        fixed = Settings(practice=PracticeSettings(level=level))
        told = advice(replace(TOGETHER, settings=fixed))
        assert f"level {level} only" in told.words
        assert then in told.words
        assert told.where == Open("settings", "amounts")
