"""Right answers in another form than was asked for: words around them that say nothing.

For the exam only, which tells skill from form; practice never asks here, so no reward depends on
it. A completion has one more reading, at most: what is left without the words around. It is judged
by the same verifier as the completion itself, in the judge's process, so a list of candidates is no
better here than there. What is left is found without knowing the answer:

    numbers   from the first word with a digit to the last one, "12" in "So 12 apples are left.";
              no word around may make another number of it, such as "minus" or "thousand"
    others    without one phrase in front and one behind that only announce an answer, and without
              quotation marks: "mat" in "The word is 'mat'."

An echo has no other reading: a text that stands in the question as it is was not wrapped by
anybody. Texts are own ones or strangers'; all here takes time linear in their length, and those
longer than an answer may be are not looked at.
"""

import re
from collections.abc import Callable
from typing import Final

from core.rollouts.answers import final_answer
from core.rollouts.types import Question
from core.tasks.catalog import TaskCatalog, VerifierName
from core.tasks.verifiers import MAX_ANSWER

MOST_AROUND: Final = 12
"""Words around a number; with more of them, nobody can tell which part was meant."""


def _vocabulary(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CHANGING: Final = _vocabulary(
    "not no never isn't neither nor or and minus negative plus times over point percent half "
    "quarter zero one two three four five six seven eight nine ten eleven twelve dozen hundred "
    "thousand million billion"
)
"""Words beside a number that make another one of it, or are one."""

_OF_DIGITS: Final[frozenset[VerifierName]] = frozenset(
    (
        "integer",
        "decimal",
        "scientific",
        "fraction",
        "complex",
        "factors",
        "numbers",
        "near",
        "ratio",
    )
)
_WORD: Final = re.compile(r"\S+")
_MARKS: Final = ".,:;!?\"'="  # around a number
_MORE_MARKS: Final = _MARKS + "()*`"  # around the words beside it

_ANSWER: Final = (
    r"(?:(?:the|my|our) )?(?:(?:final|correct) )?"
    r"(?:answer|result|solution|output|value|response|word|sentence)"
)
_THINK: Final = r"i (?:think|believe)"
_SAYS: Final = rf"(?:(?:{_THINK}(?: that)? )?(?:(?:{_ANSWER}|it|this|that) (?:is|are|equals)|it's))"
_IN_FRONT: Final = re.compile(
    r"(?:(?:so|thus|therefore|hence|okay|ok|sure),? )?"
    rf"(?:{_SAYS} ?[:=]?\s{{1,2}}|(?:{_ANSWER})? ?[:=]\s{{0,2}}|{_THINK}(?: that)?\s{{1,2}})",
    re.ASCII | re.IGNORECASE,
)
_BEHIND: Final = re.compile(rf",? (?:{_THINK}|is {_ANSWER})[.!]?\Z", re.ASCII | re.IGNORECASE)
_QUOTED: Final = re.compile(r"([\"'])(?P<inner>.*)\1[.,!]?", re.DOTALL)


def form_reader(catalog: TaskCatalog) -> Callable[[Question, str], str | None]:
    """Find the other reading of a completion to a question of ``catalog``; None: there is none."""

    def read(question: Question, completion: str) -> str | None:
        verifier = catalog.task(question.key.task).verifier
        return bare_answer(verifier, final_answer(completion), question.prompt)

    return read


def bare_answer(verifier: VerifierName, answer: str, prompt: str) -> str | None:
    """What is left of ``answer`` without words around; None where nothing is or nothing was."""
    whole = answer.strip()
    if len(answer) > MAX_ANSWER or _plain(whole) in _plain(prompt):
        return None
    has_number = verifier in _OF_DIGITS and any(map(str.isdigit, whole))
    bare = _number(whole) if has_number else _unannounced(whole)
    return bare if bare and bare != whole else None


def _number(answer: str) -> str | None:
    """From the first word with a digit to the last one; None where others change what it says."""
    words = list(_WORD.finditer(answer))
    with_digits = [n for n, word in enumerate(words) if any(map(str.isdigit, word[0]))]
    first, last = with_digits[0], with_digits[-1]
    around = words[:first] + words[last + 1 :]
    if len(around) > MOST_AROUND or not all(_changes_nothing(word[0]) for word in around):
        return None
    return answer[words[first].start() : words[last].end()].strip(_MARKS)


def _changes_nothing(word: str) -> bool:
    bare = word.strip(_MORE_MARKS).lower()
    is_word = bare.isascii() and bare.replace("'", "").isalpha()
    return not bare or (is_word and bare not in _CHANGING)


def _unannounced(answer: str) -> str:
    front = _IN_FRONT.match(answer)
    bare = _BEHIND.sub("", answer[front.end() :] if front else answer).strip()
    quoted = _QUOTED.fullmatch(bare)
    return quoted["inner"].strip() if quoted else bare


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()
