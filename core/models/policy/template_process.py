"""The throw-away process in which a stranger's chat template runs: one template, one frame.

jinja2's sandbox keeps the template from everything but what it is given. How long it runs and how
much it makes is bounded by the process (``core.models.policy.confined``), and not here.
"""

import json
from typing import Any, Final

import msgspec
from jinja2.sandbox import ImmutableSandboxedEnvironment

from core.i18n import remarks_of, translatable, words_of
from core.models.policy.confined import serve
from core.models.policy.prompts import (
    MAX_TEXT,
    MAX_WORDS,
    SYSTEM,
    TODAY,
    Frame,
    FrameRequest,
    Refusal,
    TemplateError,
)

_QUESTION: Final = "WAGGLE-ASKS-THIS"
_ANSWER: Final = "WAGGLE-HEARS-THIS"


def main() -> int:
    """Answer one request; an exit code."""
    return serve(answer)


def answer(request: bytes) -> bytes:
    """A FrameRequest -> a Frame, or a Refusal.

    Raises:
        MemoryError: there is not enough for this template.
    """
    asked = msgspec.json.decode(request, type=FrameRequest)
    try:
        return msgspec.json.encode(frame_of(asked))
    except TemplateError as error:
        return _refusal(words_of(error))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a template is a program: whatever Python can raise, it can
        return _refusal(translatable("it fails"))


def _refusal(words: str) -> bytes:
    """A Refusal in ``words``."""
    return msgspec.json.encode(Refusal(str(words)[:MAX_WORDS], remarks_of(words)))


def frame_of(asked: FrameRequest) -> Frame:
    """Run the template around a question, and around an answer to it.

    Raises:
        TemplateError: it refuses, writes too much, or does not repeat what it is given. Whatever
            else it makes jinja2 and Python raise comes through as it is.
    """
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": _QUESTION}]
    before, after = _split(_render(asked, messages, prompt=True), _QUESTION)
    messages.append({"role": "assistant", "content": _ANSWER})
    _, closing = _split(_render(asked, messages, prompt=False), _ANSWER)
    return Frame(before, after, closing)


def _split(text: str, mark: str) -> tuple[str, str]:
    parts = text.split(mark)
    if len(parts) != 2:  # noqa: PLR2004 - before and after
        raise TemplateError(translatable("it writes what it is given {} times", len(parts) - 1))
    return parts[0], parts[1]


def _render(asked: FrameRequest, messages: list[dict[str, str]], *, prompt: bool) -> str:
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = _to_json
    environment.globals |= {"raise_exception": _refuse, "strftime_now": _now}
    text = environment.from_string(asked.template).render(
        **asked.special,
        messages=messages,
        add_generation_prompt=prompt,
        enable_thinking=False,  # a completion's budget is for the answer
        date_string=TODAY,
    )
    if len(text) > MAX_TEXT:
        raise TemplateError(translatable("it writes more than {} characters", MAX_TEXT))
    return text


def _to_json(value: object, **options: Any) -> str:  # noqa: ANN401 - as templates call it
    return json.dumps(value, ensure_ascii=False, indent=2 if options.get("indent") else None)


def _refuse(words: object) -> None:
    raise TemplateError(translatable("it says {}", f"{str(words)[:200]!r}"))


def _now(_format: str) -> str:
    return TODAY
