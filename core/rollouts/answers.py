"""Where in a completion the answer stands.

A small model answers with the answer alone. A larger one thinks aloud first; its prompt asks for
the final answer between two tags, and only what stands there is judged.

Completions are text of strangers: this finds the tags in one pass, in time linear in the text, and
does nothing else with them. A completion has one answer, whatever the puzzle.
"""

import re
from itertools import zip_longest
from typing import Final, NamedTuple

OPENING: Final = "<answer>"
CLOSING: Final = "</answer>"

_TAG: Final = re.compile("</?answer>", re.ASCII | re.IGNORECASE)
_SPACE: Final = " \t\r\n"
_MOST_SPACE: Final = 2  # letters around an answer that is written as asked: a line of its own
_AROUND_MENTIONS: Final = _SPACE + "\"'`*"
_MENTIONS: Final = frozenset({"", "and", "...", "\u2026"})
"""What stands between tags that are only spoken of, as in "between <answer> and </answer>"."""


class Answer(NamedTuple):
    """The final answer of a completion."""

    text: str
    as_asked: bool  # alone; or between the two tags, written as the prompt does, at the very end


class _Part(NamedTuple):
    """A completion from an opening tag to the next tag, or to its end."""

    start: int
    text: str
    closed: bool
    as_asked: bool


def read_answer(completion: str) -> Answer:
    """Find the final answer.

    It stands in the last pair of tags that holds more than a mention of tags; in whichever case
    they are written, and whatever follows. Where there is no pair, an opening tag will do; without
    one, the whole text is the answer. Between tags, spaces and line breaks around it are left out.
    """
    last = _last_part(completion)
    if last is None:
        return Answer(completion, as_asked=True)
    return Answer(last.text.strip(_SPACE), last.as_asked)


def final_answer(completion: str) -> str:
    """The text of the final answer alone; see ``read_answer``."""
    return read_answer(completion).text


def shows_work(completion: str) -> bool:
    """Whether anything but tags stands before the final answer."""
    last = _last_part(completion)
    return last is not None and bool(_TAG.sub("", completion[: last.start]).strip())


def _last_part(completion: str) -> "_Part | None":
    """Where the final answer stands; None where there are no tags."""
    parts = _parts(completion)
    found = [part for part in parts if part.closed] or parts
    telling = (part for part in reversed(found) if not _is_mention(part.text))
    return next(telling, found[-1] if found else None)


def _parts(completion: str) -> list[_Part]:
    tags = list(_TAG.finditer(completion))
    length = len(completion.rstrip(_SPACE))
    parts: list[_Part] = []
    for tag, following in zip_longest(tags, tags[1:]):
        if _closes(tag):
            continue
        if following is None:
            parts.append(_Part(tag.end(), completion[tag.end() :], closed=False, as_asked=False))
            continue
        text = completion[tag.end() : following.start()]
        is_plain = (tag[0], following[0], following.end()) == (OPENING, CLOSING, length)
        as_asked = is_plain and len(text) - len(text.strip(_SPACE)) <= _MOST_SPACE
        parts.append(_Part(tag.end(), text, _closes(following), as_asked))
    return parts


def _closes(tag: re.Match[str]) -> bool:
    return tag[0].startswith("</")


def _is_mention(text: str) -> bool:
    return text.strip(_AROUND_MENTIONS).lower() in _MENTIONS
