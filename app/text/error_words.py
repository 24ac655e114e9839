"""What went wrong, in the person's language.

Where core only has words in English, because nobody foresaw what happens on other computers, they
follow a translated sentence about errors of that kind.
"""

from app.text.core_words import spoken
from core.api.requests import Done, Refused
from core.i18n import Said, retold, said, words_of

_UNFORESEEN = said("Something did not work.")
_LEADS: dict[str, Said] = {
    "UsageError": said("That cannot be done this way."),
    "UnknownModelError": said("There is no such model."),
    "UnknownTaskError": said("There is no such puzzle."),
    "SettingsError": said("The settings cannot be read."),
    "HomeError": said("A file or folder cannot be used."),
    "HomeInUseError": said("Waggle is at work on that right now."),
    "DiskFullError": said("The disk is full."),
    "ModelError": said("The model cannot be used as it is."),
    "BusyError": said("It took too long; try again when less is going on."),
    "MemoryShortError": said("There is too little memory."),
    "CheckpointError": said("What was learnt cannot be read."),
    "RulesetError": said("The puzzles installed here are other ones."),
    "ScorerError": said("Answers cannot be checked."),
    "WireError": said("Something was sent that breaks the rules."),
    "LabError": said("An experiment cannot go on."),
    "UpdateError": said("The newer release cannot be had."),
    "SwarmError": said("The swarm or the network does not play along."),
}


def told(answer: Done | Refused) -> str:
    """How an errand ended."""
    words = retold(answer.words, answer.remarks)
    return explain(words, answer.kind) if isinstance(answer, Refused) else spoken(words)


def explain_error(error: Exception) -> str:
    """What the window itself could not do."""
    return explain(words_of(error), type(error).__name__)


def explain(words: str, kind: str = "") -> str:
    """``words`` about an error of ``kind``, the name of its class."""
    if isinstance(words, Said) or not words:
        return spoken(words)
    lead = _LEADS.get(kind, _UNFORESEEN)
    here, there = spoken(lead), spoken(words)
    return there if here == lead else f"{here}\n{there}"  # who reads English needs no lead
