"""Which kinds are practised, and how that is changed."""

from msgspec.structs import replace

from app.pages.practice.practised import choosing, forgetting, missing, practised
from core.api.decks import DecksShown
from core.settings import PracticeSettings, Settings
from tests.app.pages.practice.deck_samples import SUMS, WORDS, decks

SHOWN = decks(SUMS, WORDS)
BUILT_IN = {"lcm", "gcd", "odd"}


def of(*kinds: str) -> Settings:
    return Settings(practice=PracticeSettings(kinds=kinds, level=3))


def chosen(tasks: set[str], shown: DecksShown = SHOWN) -> Settings:
    wish = choosing(tasks, shown)
    assert wish is not None
    return wish.change(of("gcd"))


def test_no_kinds_are_all_that_are_built_in() -> None:
    """And no deck; else exactly those that are named."""
    assert practised(of(), SHOWN) == BUILT_IN
    assert practised(of(SUMS.task, "gcd"), SHOWN) == {SUMS.task, "gcd"}


def test_what_is_not_here_is_missing() -> None:
    """It is not practised, and practice cannot begin."""
    assert practised(of("deck_gone", "gcd"), SHOWN) == {"gcd"}
    assert missing(of("deck_gone", "gcd"), SHOWN)
    assert not missing(of("gcd"), SHOWN)
    assert not missing(of(), SHOWN)


def test_a_choice_is_written_decks_first() -> None:
    """Nothing else of the settings changes."""
    settings = chosen({"gcd", WORDS.task})
    assert settings.practice.kinds == (WORDS.task, "gcd")
    assert settings.practice.level == 3


def test_all_that_is_built_in_is_written_as_nothing() -> None:
    """So that a kind which comes with a later release is practised, too."""
    assert chosen(set(BUILT_IN)).practice.kinds == ()
    assert len(chosen(BUILT_IN | {SUMS.task}).practice.kinds) == 4


def test_nothing_at_all_cannot_be_chosen() -> None:
    """There would be nothing to practise."""
    assert choosing(set(), SHOWN) is None
    assert choosing({"deck_gone"}, SHOWN) is None


def test_a_deck_that_went_is_practised_no_more() -> None:
    """Where it was all that was practised, all that is built in is."""
    wish = forgetting(SUMS.task)
    assert wish.change(of(SUMS.task, "gcd")).practice.kinds == ("gcd",)
    assert wish.change(of(SUMS.task)).practice.kinds == ()
    assert wish.change(of()).practice.kinds == ()


def test_a_swarm_on_decks_chooses_for_its_members() -> None:
    """What the settings say counts again in another."""
    settings = Settings(practice=PracticeSettings(kinds=("gcd",)))
    shown = replace(decks(WORDS, SUMS), swarm="our-class", swarm_tasks=(WORDS.task,))
    assert practised(settings, shown) == {WORDS.task}
    assert not missing(settings, shown)
    assert missing(settings, replace(shown, missing=1))
