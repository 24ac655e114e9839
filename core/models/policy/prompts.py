"""The frame of a question: nothing for the starters, its own chat template for a chat model.

A chat template is a program that somebody else wrote. It runs when a model is loaded, in a
throw-away process with little time and memory (``core.models.policy.confined``), around a stand-in
for the question; what it wrote before and after the stand-in is the frame of every question. So no
question ever reaches the template, and none can write the template's special tokens.
"""

from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from core.children import python_command
from core.i18n import Remarks, retold, translatable, words_of
from core.models.policy.confined import ConfinedError, ProcessLimits, run_confined
from core.rollouts.answers import CLOSING, OPENING

SYSTEM: Final = (
    "You solve puzzles. Think briefly, then write the final answer alone between "
    f"{OPENING} and {CLOSING}: plain text in the form that the question asks for, fractions in "
    "lowest terms, without markup or further words or units. Write nothing after it."
)
TODAY: Final = "01 Jan 2026"
"""The date that a template may mention: always the same one, or prompts would change overnight."""

MAX_TEMPLATE: Final = 65_536  # characters; those of the known models have up to 10,000
MAX_TEXT: Final = 16_384  # characters around a question
MAX_WORDS: Final = 300  # characters of a complaint

LIMITS: Final = ProcessLimits()
"""An honest template takes a hundredth of a second, and 40 MB with Python itself."""

_Text = Annotated[str, Meta(max_length=MAX_TEXT)]


class TemplateError(Exception):
    """A template did what no template has to do."""


class FrameRequest(msgspec.Struct, frozen=True):
    """The request to the process."""

    template: str
    special: dict[str, str]


class Frame(msgspec.Struct, frozen=True, tag=True):
    """The texts that a chat template writes around a question, special tokens spelt out."""

    before: _Text
    after: _Text
    closing: _Text  # what it writes after an answer: the end of the turn comes first in it


class Refusal(msgspec.Struct, frozen=True, tag=True):
    """The reply of the process where there is no frame."""

    words: Annotated[str, Meta(max_length=MAX_WORDS)]
    remarks: Remarks  # that the words were made from


def read_frame(template: str, special: Mapping[str, str], limits: ProcessLimits = LIMITS) -> Frame:
    """Run ``template`` once, in a process of its own.

    Args:
        template: the source of a chat template, as Hugging Face writes them.
        special: what it may call ``bos_token``, ``eos_token`` and so on.
        limits: what the process may take.

    Raises:
        TemplateError: it fails, never ends, grows, or does not repeat what it is given.
    """
    if len(template) > MAX_TEMPLATE:
        raise TemplateError(translatable("it has more than {} characters", MAX_TEMPLATE))
    try:
        request = msgspec.json.encode(FrameRequest(template, dict(special)))
        raw = run_confined(python_command("core.models.policy.template_process"), request, limits)
        reply = msgspec.json.decode(raw, type=Frame | Refusal)
    except ConfinedError as error:
        raise TemplateError(words_of(error)) from error
    except UnicodeEncodeError as error:  # half a pair of surrogates
        raise TemplateError(translatable("it is no text")) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TemplateError(translatable("it breaks out of its bounds")) from error
    if isinstance(reply, Refusal):
        raise TemplateError(retold(reply.words, reply.remarks))
    return reply
