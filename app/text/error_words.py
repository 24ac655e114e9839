"""What went wrong, in the person's language.

Where core only has words in English, because nobody foresaw what happens on other computers, they
follow a translated sentence about errors of that kind.
"""

from app.text.core_words import spoken
from core.api.requests import Done, Refused
from core.i18n import TranslatableText, retold, translatable, words_of

_UNFORESEEN = translatable("Something did not work.")
_LEADS: dict[str, TranslatableText] = {
    "UsageError": translatable("That cannot be done this way."),
    "DeckError": translatable("The deck cannot be used like this."),
    "UnknownModelError": translatable("There is no such model."),
    "UnknownTaskError": translatable("There is no such puzzle."),
    "SettingsError": translatable("The settings cannot be read."),
    "HomeError": translatable("A file or folder cannot be used."),
    "HomeInUseError": translatable("Waggle is at work on that right now."),
    "DiskFullError": translatable("The disk is full."),
    "ModelError": translatable("The model cannot be used as it is."),
    "BusyError": translatable("It took too long; try again when less is going on."),
    "MemoryShortError": translatable("There is too little memory."),
    "CheckpointError": translatable("What was learnt cannot be read."),
    "RulesetError": translatable("The puzzles installed here are other ones."),
    "ScorerError": translatable("Answers cannot be checked."),
    "PuzzleError": translatable("A puzzle cannot be made."),
    "WireError": translatable("Something was sent that breaks the rules."),
    "LabError": translatable("An experiment cannot go on."),
    "UpdateError": translatable("The newer release cannot be had."),
    "SwarmError": translatable("The swarm or the network does not play along."),
}


def told(answer: Done | Refused) -> str:
    """How a request ended."""
    words = retold(answer.words, answer.remarks)
    return explain(words, answer.kind) if isinstance(answer, Refused) else spoken(words)


def explain_error(error: Exception) -> str:
    """What the window itself could not do."""
    return explain(words_of(error), type(error).__name__)


def explain(words: str, kind: str = "") -> str:
    """``words`` about an error of ``kind``, the name of its class."""
    if isinstance(words, TranslatableText) or not words:
        return spoken(words)
    lead = _LEADS.get(kind, _UNFORESEEN)
    here, there = spoken(lead), spoken(words)
    return there if here == lead else f"{here}\n{there}"  # who reads English needs no lead
