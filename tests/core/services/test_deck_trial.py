"""How a model does at a deck."""

from pathlib import Path

import pytest

from core.decks.library import DeckLibrary
from core.errors import UnknownModelError
from core.i18n import remarks_of
from core.paths import RESOURCES
from core.services.deck_trial import EASY, HOPELESS, TRIED, DeckTrial, trial_words, try_deck
from core.services.decks import DeckDraft, DeckWish, draft_of_file
from core.services.service import ServiceContext
from tests.saved_models import MODEL


def unheard(_done: int, _total: int) -> None:
    """Nobody waits."""


@pytest.fixture
def draft() -> DeckDraft:
    path = RESOURCES / "decks" / "arithmetic.csv"
    return draft_of_file(path, DeckWish(name="Arithmetic"))


async def test_a_model_tries_a_deck_that_nobody_kept(
    place: ServiceContext, draft: DeckDraft
) -> None:
    """The starter can add: each level is told, and nothing is left behind."""
    told: list[tuple[int, int]] = []
    trial = await try_deck(place, MODEL, draft, lambda done, total: told.append((done, total)))
    assert (trial.model, trial.tried) == ("Spark", TRIED)
    assert list(trial.levels) == [1, 2, 3]
    assert all(0 <= share <= 1 for share in trial.levels.values())
    assert trial.solved > 0
    assert trial.share > HOPELESS
    assert DeckLibrary(place.home.decks).decks() == []
    assert trial == await try_deck(place, MODEL, draft, unheard)


@pytest.mark.parametrize(("hard", "tried"), [(2, 8), (400, TRIED)])
async def test_no_question_is_tried_twice(
    hard: int, tried: int, place: ServiceContext, tmp_path: Path
) -> None:
    """All of a few are, and no more are told; those of a short level beside a long one, too."""
    path = tmp_path / "deck.csv"
    rows = [f"What is {n} + 1?,{n + 1},1" for n in range(6)]
    rows += [f"What is {n} + {n}?,{2 * n},2" for n in range(10, 10 + hard)]
    path.write_text("\n".join(["question,answer,level", *rows]), encoding="utf-8")
    trial = await try_deck(place, MODEL, draft_of_file(path, DeckWish(name="Sums")), unheard)
    assert trial.tried == tried
    assert list(trial.levels) == [1, 2]


async def test_a_trial_needs_a_model(place: ServiceContext, draft: DeckDraft) -> None:
    """One that there is not is refused with a suggestion."""
    with pytest.raises(UnknownModelError, match="spark"):
        await try_deck(place, "sparc", draft, unheard)


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ([0.0, HOPELESS], "choose a larger model"),
        ([0.0, 0.5], "gets 25 % of its tries right, and solves 6 of 60 questions within 4 tries"),
        ([EASY, 1.0], "gets 95 % of its tries right already: there is little left to learn"),
    ],
)
def test_what_a_trial_means_is_said_in_words(shares: list[float], words: str) -> None:
    """Hopeless, fit or easy, by the mean over levels."""
    trial = DeckTrial("Spark", 60, 6, dict(enumerate(shares, start=1)))
    assert words in trial_words(trial)
    assert "Spark" in trial_words(trial)
    assert remarks_of(trial_words(trial))
