"""Decks, tables on their way to them, and kinds of puzzles, as the page gets them."""

from core.api.decks import (
    BuiltInKind,
    DeckPreviewed,
    DecksShown,
    KeptDeck,
    PreviewFinding,
    PreviewRow,
)
from core.i18n import remarks_of, translatable

WORDS = KeptDeck(
    task="deck_" + "a" * 32,
    digest="a" * 64,
    name="German words",
    author="Ada",
    language="de-AT",
    licence="CC0-1.0",
    levels=1,
    cards=1_057,
    templates=0,
    solved=0.25,
)
SUMS = KeptDeck(
    task="deck_" + "b" * 32, digest="b" * 64, name="Sums", levels=3, cards=0, templates=6
)
BUILT_IN = (
    BuiltInKind(task="lcm", title="Find the least common multiple", levels=5, solved=0.5),
    BuiltInKind(task="gcd", title="Find the greatest common divisor", levels=4),
    BuiltInKind(task="odd", title="Do something odd", levels=3),
)


def decks(*kept: KeptDeck, model: str = "spark") -> DecksShown:
    """These decks, and three kinds that are built in."""
    return DecksShown(model=model, decks=kept, built_in=BUILT_IN)


_WRONG = translatable("{} is no level. Write a whole number from 1 to {}.", "“11”", 9)
_SMALL = translatable(
    "Level {} has only {} different questions: too few to tell learning from remembering. "
    "Add more.",
    1,
    2,
)
_NEVER = translatable(
    "{} of {} answers can never be right as {}. Choose another way to compare.", 1, 2, "“integer”"
)
SMALL = PreviewFinding(words=_SMALL, remarks=remarks_of(_SMALL))
NEVER = PreviewFinding(words=_NEVER, remarks=remarks_of(_NEVER), is_error=True, rows=(2,))


def previewed(*findings: PreviewFinding, trouble: str = "") -> DeckPreviewed:
    """Three rows, of which the last is bad."""
    return DeckPreviewed(
        name="words",
        matcher="caseless",
        columns=("Front", "Back", "Extra"),
        parts={"question": 0, "answer": 1},
        has_names=True,
        rows=(
            PreviewRow(number=2, question="dog?", answer="Hund", level=1),
            PreviewRow(number=3, question="cat?", answer="Katze", level=1),
            PreviewRow(
                number=4, question="cow?", answer="Kuh", problem=_WRONG, remarks=remarks_of(_WRONG)
            ),
        ),
        total=3,
        bad=1,
        findings=findings,
        trouble=trouble,
        remarks=remarks_of(trouble),
    )
