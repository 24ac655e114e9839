"""Tries a stranger's tokenizer out in a throw-away process, before it is used in this one.

A tokenizer is a program too: it splits by regular expressions and replaces text by text, so it can
take for ever, or more memory than there is, and its library can do nothing about it.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from core.children import python_command
from core.i18n import Remarks, TranslatableText, together, translatable, words_of
from core.models.policy.confined import ConfinedError, ProcessLimits, run_confined, serve
from core.models.policy.language import LanguageError, open_tokenizer, rehearse

LIMITS: Final = ProcessLimits(seconds=20, memory=2_000_000_000)
"""A vocabulary of 150,000 words takes a second and 400 MB to read."""


class _Request(msgspec.Struct, frozen=True):
    """The request to the process."""

    folder: bytes  # a path need not be text everywhere
    more: tuple[str, ...]


class _Reply(msgspec.Struct, frozen=True):
    """The reply of the process."""

    trouble: Remarks  # nothing where all is well


def try_tokenizer(folder: Path, more: Sequence[str] = (), limits: ProcessLimits = LIMITS) -> None:
    """Make sure that the tokenizer in ``folder`` reads texts, and soon; also those in ``more``.

    Raises:
        LanguageError: it does not.
    """
    request = msgspec.json.encode(_Request(os.fsencode(folder.absolute()), tuple(more)))
    try:
        raw = run_confined(python_command("core.models.catalog.tokenizer_trial"), request, limits)
        trouble = msgspec.json.decode(raw, type=_Reply).trouble
    except ConfinedError as error:
        raise LanguageError(translatable("its tokenizer is of no use: {}", error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LanguageError(translatable("its tokenizer breaks out of its bounds")) from error
    if trouble:
        raise LanguageError(TranslatableText(trouble))


def main() -> int:
    """Answer one request; an exit code."""
    return serve(answer)


def answer(request: bytes) -> bytes:
    """Try the tokenizer of an encoded ``_Request``; an encoded ``_Reply``."""
    asked = msgspec.json.decode(request, type=_Request)
    try:
        rehearse(open_tokenizer(Path(os.fsdecode(asked.folder))), asked.more)
    except LanguageError as error:
        return msgspec.json.encode(_Reply(together(words_of(error)).remarks))
    return msgspec.json.encode(_Reply(()))
