"""What a chat template is given, and what becomes of its words, inside its process."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.i18n import translatable
from core.models.policy.prompts import SYSTEM, Frame, FrameRequest, Refusal, TemplateError
from core.models.policy.template_process import answer, frame_of
from tests.chat_templates import CHATML

SPECIAL = {"bos_token": "<s>", "eos_token": "</s>"}


def reply(template: str) -> Frame | Refusal:
    raw = answer(msgspec.json.encode(FrameRequest(template, SPECIAL)))
    return msgspec.json.decode(raw, type=Frame | Refusal)


def test_a_frame_comes_back_typed() -> None:
    """What stands before and after the question, and after the answer."""
    frame = reply(CHATML)
    assert isinstance(frame, Frame)
    assert SYSTEM in frame.before
    assert frame.closing.startswith("<|im_end|>")


def test_thinking_is_switched_off_and_the_day_is_fixed() -> None:
    """Prompts are the same tomorrow, and leave the budget to the answer."""
    around = "{{ messages[1].content }}{{ messages[2].content if messages[2] else '' }}"
    frame = reply("{{ enable_thinking }} {{ strftime_now('%d') }} {{ date_string }}:" + around)
    assert isinstance(frame, Frame)
    assert frame.before == "False 01 Jan 2026 01 Jan 2026:"


def test_json_is_written_as_templates_expect_it() -> None:
    """Without the escapes that jinja2 makes for web pages."""
    frame = reply("{{ {'a': '<é>'}|tojson }}{{ messages[-1].content }}")
    assert isinstance(frame, Frame)
    assert frame.before == '{"a": "<é>"}'


def test_no_template_looks_behind_the_curtain() -> None:
    """The sandbox hands out no internals of Python, and what is given cannot be changed."""
    for template in (
        "{{ ''.__class__.__mro__ }}" + CHATML,
        "{{ cycler.__init__.__globals__ }}" + CHATML,
        "{{ messages.append(1) }}" + CHATML,
        "{% include '/etc/passwd' %}" + CHATML,
    ):
        found = reply(template)
        assert isinstance(found, Refusal) or "/" not in found.before


def test_complaints_are_short() -> None:
    """They are shown to a person."""
    words = translatable("it says {}", f"{'x' * 200!r}")
    assert reply("{{ raise_exception('x' * 9999) }}") == Refusal(str(words), words.remarks)
    with pytest.raises(TemplateError):
        frame_of(FrameRequest("{{ raise_exception([1]) }}", SPECIAL))


@given(st.lists(st.sampled_from([CHATML, "{{", "}}", "{%", "%}", "for", " x in messages ", "'a'"])))
def test_any_template_is_a_frame_or_a_refusal(pieces: list[str]) -> None:
    """Whatever the pieces, the answer is one of the two."""
    found = reply("".join(pieces))
    if isinstance(found, Frame):
        assert SYSTEM in found.before + found.after
    else:
        assert found.words


@given(st.text(max_size=80))
def test_any_text_is_a_template_or_a_refusal(text: str) -> None:
    """Plain text forgets the question, so it is refused; nothing else happens."""
    assert isinstance(reply(text), Frame | Refusal)
