"""Right answers in another form than was asked for: words around them that say nothing.

For the exam only, which tells skill from form; practice never asks here, so no reward depends on
it. A completion has one more reading, at most: what is left without the words around. It is judged
by the same verifier as the completion itself, in the judge's process, so a list of candidates is no
better here than there. What is left is found without knowing the answer:

    numbers   from the first word with a digit to the last one, "12" in "So 12 apples are left.";
              no word around may make another number of it, such as "minus" or "thousand"
    others    without words at both ends that only announce an answer, "mat" in "The word is mat."

An echo has no other reading: a text that stands in the question as it is was not wrapped by
anybody. Texts are own ones or strangers'; all here takes time linear in their length, and those
longer than an answer may be are not looked at.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from core.rollouts.answers import final_answer
from core.rollouts.types import Question
from core.tasks.catalog import TaskCatalog, VerifierName
from core.tasks.verifiers import MAX_ANSWER

MOST_AROUND: Final = 12
"""Words around an answer; with more of them, nobody can tell which part was meant."""


def _vocabulary(text: str) -> frozenset[str]:
    return frozenset(text.split())


ANNOUNCING: Final = _vocabulary(
    "the my our this that here answer result solution output value response word sentence final "
    "correct is it its it's are equals so thus therefore hence we get which think believe "
    "sure okay ok"
)
"""None of them is a number in any base, nor an answer to any puzzle by itself."""

_CHANGING: Final = _vocabulary(
    "not no never isn't neither nor or and minus negative plus times over point percent half "
    "quarter zero one two three four five six seven eight nine ten eleven twelve dozen hundred "
    "thousand million billion"
)
"""Words beside a number that make another one of it, or are one."""

_OF_DIGITS: Final[frozenset[VerifierName]] = frozenset(
    ("integer", "decimal", "scientific", "fraction", "complex", "factors", "numbers")
)
_WORD: Final = re.compile(r"\S+")
_AROUND_WORDS: Final = ".,:;!?\"'()=*`"
_AROUND_ANSWERS: Final = ".,:;!?\"'="

_Words = Sequence[re.Match[str]]


def form_reader(catalog: TaskCatalog) -> Callable[[Question, str], str | None]:
    """Find the other reading of a completion to a question of ``catalog``; None: there is none."""

    def read(question: Question, completion: str) -> str | None:
        verifier = catalog.task(question.key.task).verifier
        return bare_answer(verifier, final_answer(completion), question.prompt)

    return read


def bare_answer(verifier: VerifierName, answer: str, prompt: str) -> str | None:
    """What is left of ``answer`` without words around; None where nothing is or nothing was."""
    if len(answer) > MAX_ANSWER or _plain(answer) in _plain(prompt):
        return None
    words = list(_WORD.finditer(answer))
    left = _left(verifier, words)
    if not left or len(words) - len(left) > MOST_AROUND:
        return None
    bare = answer[left[0].start() : left[-1].end()].strip(_AROUND_ANSWERS)
    return bare if bare and bare != answer.strip() else None


def _left(verifier: VerifierName, words: _Words) -> _Words:
    with_digits = [n for n, word in enumerate(words) if any(map(str.isdigit, word[0]))]
    if verifier not in _OF_DIGITS or not with_digits:
        return _unannounced(words)
    first, last = with_digits[0], with_digits[-1] + 1
    around = (*words[:first], *words[last:])
    return words[first:last] if all(map(_changes_nothing, around)) else ()


def _changes_nothing(word: re.Match[str]) -> bool:
    bare = _bare(word)
    is_word = bare.isascii() and bare.replace("'", "").isalpha()
    return not bare or (is_word and bare not in _CHANGING)


def _unannounced(words: _Words) -> _Words:
    """What stands between words that announce an answer; a colon ends those before it."""
    first, last = 0, len(words)
    while first < last and _announces(words[first]):
        first += 1
        if words[first - 1][0].endswith(":"):
            break
    while last > first and _announces(words[last - 1]):
        last -= 1
    return words[first:last]


def _announces(word: re.Match[str]) -> bool:
    bare = _bare(word)
    return not bare or bare in ANNOUNCING


def _bare(word: re.Match[str]) -> str:
    return word[0].strip(_AROUND_WORDS).lower()


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()
