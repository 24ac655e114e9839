"""What a person does with decks, as the helper does it."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from core.api.decks import (
    MOST_DECKS,
    SAMPLES,
    DeckKept,
    DeckOpened,
    DeckPlan,
    DeckProgress,
    DecksShown,
    DeckTried,
    ExportDeck,
    KeepDeck,
    LookAtDeck,
    RemoveDeck,
    ShowDecks,
    TryDeck,
)
from core.api.pipe import encode
from core.api.protocol import decode_answer
from core.api.requests import Done, Reply
from core.decks.library import DeckLibrary
from core.engine.ports import Progress
from core.errors import DeckError, HomeError, HomeInUseError
from core.paths import RESOURCES, Home
from core.services.deck_service import keep_deck, remove, try_deck_on_request
from core.services.service import ServiceContext
from core.settings import PracticeSettings, Settings, save_settings
from core.storage.home_lock import hold
from core.tasks.catalog import load_catalog
from core.training.checkpoint_notes import CheckpointNote
from core.training.checkpoints import Checkpoint, CheckpointStore
from tests.asking_services import answer_to, answers_to

MODEL = "spark"
SUMS = DeckPlan(
    path=str(RESOURCES / "decks" / "arithmetic.csv"),
    name="Sums",
    author="Ada",
    language="en",
    licence="CC0-1.0",
)
WORDS = DeckPlan(path=str(RESOURCES / "decks" / "vocabulary.csv"), name="Words")


async def keep(plan: DeckPlan, place: ServiceContext) -> DeckKept:
    return await answer_to(KeepDeck(plan=plan), place, DeckKept)


async def show(place: ServiceContext, model: str = MODEL) -> DecksShown:
    return await answer_to(ShowDecks(model=model), place, DecksShown)


def files(place: ServiceContext) -> list[Path]:
    return sorted(place.home.decks.rglob("*")) if place.home.decks.is_dir() else []


async def test_what_is_built_in_is_told_where_there_is_no_deck(place: ServiceContext) -> None:
    """With levels, and what a starter that was measured solves of each kind."""
    shown = await show(place)
    assert shown.decks == ()
    assert [kind.task for kind in shown.built_in] == [task.id for task in load_catalog().tasks]
    assert all(kind.levels >= 3 and kind.title for kind in shown.built_in)
    assert all(kind.solved is not None for kind in shown.built_in)


async def test_a_deck_is_kept_and_told(place: ServiceContext) -> None:
    """With all that it says of itself; what is solved of it nobody knows yet."""
    kept = (await keep(SUMS, place)).deck
    assert (kept.name, kept.author, kept.language, kept.licence) == (
        "Sums",
        "Ada",
        "en",
        "CC0-1.0",
    )
    assert (kept.levels, kept.cards, kept.templates, kept.solved) == (3, 0, 6, None)
    assert (await show(place)).decks == (kept,)
    assert kept.task == DeckLibrary(place.home.decks).find("Sums").task


async def test_decks_are_told_by_name_with_what_is_solved(place: ServiceContext) -> None:
    """The mean over levels, of which one that was never tried counts as unsolved."""
    sums, words = (await keep(SUMS, place)).deck, (await keep(WORDS, place)).deck
    cells = {f"{sums.task}/1": (60.0, 80.0), f"{sums.task}/2": (20.0, 80.0)}
    note = CheckpointNote(MODEL, "base", Progress(1, 3, "sapo", cells=cells))
    CheckpointStore(place.home.checkpoints / MODEL).save(Checkpoint(note, {}))
    first, second = (await show(place)).decks
    assert (first.name, second.name) == (sums.name, words.name)
    assert first.solved == pytest.approx((0.75 + 0.25 + 0) / 3)
    assert second.solved is None


async def test_the_list_is_of_use_without_the_model(place: ServiceContext) -> None:
    """Whoever looks for a deck need not have the model that was chosen once."""
    await keep(SUMS, place)
    shown = await show(place, "nobody/nothing")
    assert len(shown.decks) == 1
    assert {kind.solved for kind in shown.built_in} == {None}


async def test_a_deck_with_an_error_is_not_kept(place: ServiceContext, tmp_path: Path) -> None:
    """In the doctor's words; nothing of it is there."""
    path = tmp_path / "never.csv"
    path.write_text("question,answer\na?,x\nb?,y\n", encoding="utf-8")
    with pytest.raises(DeckError, match="never be right"):
        await keep(DeckPlan(path=str(path), name="Never", matcher="integer"), place)
    assert files(place) == []


async def test_there_is_room_for_so_many_decks(
    place: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is there already may be kept once more; another has to wait."""
    assert MOST_DECKS > 1
    monkeypatch.setattr("core.services.decks.MOST_DECKS", 1)
    await keep(SUMS, place)
    await keep(SUMS, place)
    with pytest.raises(DeckError, match="Remove one first"):
        await keep(WORDS, place)
    assert len(files(place)) == 1


async def test_what_is_cancelled_leaves_nothing(place: ServiceContext) -> None:
    """Though the thread that reads the table may go on for a while."""
    told: list[Reply] = []
    task = asyncio.ensure_future(keep_deck(KeepDeck(plan=SUMS), place, told.append))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (told, files(place)) == ([], [])


async def test_a_deck_is_removed_and_nothing_else(place: ServiceContext) -> None:
    """It says that what was learnt stays."""
    sums, words = (await keep(SUMS, place)).deck, (await keep(WORDS, place)).deck
    done = await answer_to(RemoveDeck(digest=sums.digest), place, Done)
    assert "What was learnt from it stays" in done.words
    assert (await show(place)).decks == (words,)
    with pytest.raises(DeckError, match="no deck"):
        await answers_to(RemoveDeck(digest=sums.digest), place)


async def test_no_deck_goes_while_a_node_practises(place: ServiceContext) -> None:
    """Its judge reads the decks whenever it begins anew."""
    sums = (await keep(SUMS, place)).deck
    with hold(place.home), pytest.raises(HomeInUseError, match="Stop practice"):
        await answers_to(RemoveDeck(digest=sums.digest), place)
    assert (await show(place)).decks == (sums,)


async def test_whether_the_settings_name_what_was_removed_is_told(place: ServiceContext) -> None:
    """By its task, its name or its digest; one that is called as a built-in kind is not meant."""
    built_in = load_catalog().tasks[0].id
    for plan in (SUMS, msgspec.structs.replace(SUMS, name=built_in)):
        deck = (await keep(plan, place)).deck
        for kinds, is_chosen in (
            ((), False),
            ((built_in,), False),
            ((built_in, "nothing"), False),
            ((built_in, deck.task), True),
            ((deck.digest[:12],), True),
            (("sums",), plan is SUMS),
        ):
            await keep(plan, place)
            practice = PracticeSettings(kinds=kinds)
            save_settings(Settings(practice=practice), place.home.settings)
            assert remove(place, deck.name).is_chosen == is_chosen
            assert place.settings().practice == practice


async def test_unreadable_settings_are_no_obstacle(place: ServiceContext) -> None:
    """Whoever begins to practise hears of them then."""
    await keep(SUMS, place)
    place.home.settings.write_text("nonsense", encoding="utf-8")
    assert not remove(place, "Sums").is_chosen
    assert files(place) == []


@pytest.mark.parametrize("plan", [SUMS, WORDS])
async def test_ten_questions_are_shown_with_their_answers(
    plan: DeckPlan, place: ServiceContext
) -> None:
    """Different ones, of all levels, the easiest first."""
    kept = (await keep(plan, place)).deck
    opened = await answer_to(LookAtDeck(digest=kept.digest), place, DeckOpened)
    assert len({one.question for one in opened.questions}) == SAMPLES
    levels = [one.level for one in opened.questions]
    assert levels == sorted(levels)
    assert set(levels) == set(range(1, kept.levels + 1))
    assert all(one.answers for one in opened.questions)


async def test_a_model_tries_what_is_not_kept(place: ServiceContext) -> None:
    """How far it is, is told; then what it means. Nothing is kept of it."""
    *before, last = await answers_to(TryDeck(model=MODEL, plan=SUMS), place)
    assert all(isinstance(one, DeckProgress) for one in before)
    assert before[-1] == DeckProgress(done=60, total=60)
    assert isinstance(last, DeckTried)
    assert last.words.startswith("Spark ")
    assert set(last.levels) == {1, 2, 3}
    assert decode_answer(encode(last)) == last
    assert files(place) == []


async def test_a_trial_of_what_is_no_deck_is_refused(
    place: ServiceContext, told: list[Reply]
) -> None:
    """Before a model is loaded."""
    plan = msgspec.structs.replace(SUMS, columns={"answer": None})
    with pytest.raises(DeckError, match="Say which columns"):
        await try_deck_on_request(TryDeck(model=MODEL, plan=plan), place, told.append)
    assert told == []


async def test_a_deck_is_written_to_a_file_that_others_can_add(
    place: ServiceContext, tmp_path: Path
) -> None:
    """To the byte, so that they understand each other's answers."""
    deck = (await keep(WORDS, place)).deck
    path = tmp_path / "words.deck"
    said = await answer_to(ExportDeck(digest=deck.digest, path=str(path)), place, Done)
    assert str(path) in said.words
    guest = ServiceContext(Home(tmp_path / "guest"))
    added = await keep(DeckPlan(path=str(path), name="anything"), guest)
    assert added.deck == deck


async def test_what_cannot_be_written_is_said(place: ServiceContext, tmp_path: Path) -> None:
    """Such as a deck that was removed meanwhile, or a folder that is none."""
    with pytest.raises(DeckError):
        await answers_to(ExportDeck(digest="a" * 64, path=str(tmp_path / "a.deck")), place)
    deck = (await keep(WORDS, place)).deck
    lost = tmp_path / "file" / "a.deck"
    lost.parent.write_text("no folder", encoding="utf-8")
    with pytest.raises(HomeError):
        await answers_to(ExportDeck(digest=deck.digest, path=str(lost)), place)
