"""What a chat template may do, and what it writes around a question."""

import pytest

from core.models.policy.confined import ProcessLimits
from core.models.policy.prompts import MAX_TEMPLATE, SYSTEM, TODAY, Frame, TemplateError, read_frame
from tests.chat_templates import CHATML, DATED, THINKING

SPECIAL = {"bos_token": "<s>", "eos_token": "</s>"}
SHORT = ProcessLimits(seconds=1, memory=128_000_000)


@pytest.mark.parametrize(
    ("template", "frame"),
    [
        (
            CHATML,
            Frame(
                f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\n",
                "<|im_end|>\n<|im_start|>assistant\n",
                "<|im_end|>\n",
            ),
        ),
        (
            THINKING,
            Frame(
                f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\n",
                "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n",
                "<|im_end|>\n",
            ),
        ),
        (
            DATED,
            Frame(
                f"<s>[system]Today Date: {TODAY}\n{SYSTEM}[eot][user]", "[eot][assistant]", "[eot]"
            ),
        ),
    ],
    ids=["chatml", "thinking", "dated"],
)
def test_the_frame_of_a_question(template: str, frame: Frame) -> None:
    """What comes before and after it, and how a turn ends."""
    assert read_frame(template, SPECIAL) == frame


def test_the_system_sentence_asks_for_what_is_judged() -> None:
    """The tags that the judge looks for, each once, and what else the answer should be."""
    assert SYSTEM.count("<answer>") == 1
    assert SYSTEM.count("</answer>") == 1
    for word in ("alone", "plain", "lowest terms", "units", "markup", "nothing after"):
        assert word in SYSTEM


USELESS = {
    "no template at all": "{% for %}",
    "says nothing": "",
    "repeats the question": CHATML + "{{ messages[1].content }}",
    "changes the question": "{{ messages[1].content | lower }}",
    "asks for what there is not": "{{ messages[7].content.strip() }}",
    "counts for ever": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}"
    "{% endfor %}",
    "calls itself without end": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "loops into itself": "{% for a in [1, 2] recursive %}{{ loop([1, 2]) }}{% endfor %}",
    "writes too much": "{% for a in range(9999) %}{{ 'x' * 1 }}xxxxxxxxxxxx{% endfor %}",
    "multiplies a text": "{{ 'x' * 99999999999 }}",
    "doubles by adding": "{% set ns = namespace(s='x') %}{% for a in range(60) %}"
    "{% set ns.s = ns.s + ns.s %}{% endfor %}",
    "nests brackets": "{{ " + "(" * 30_000 + ")" * 30_000 + " }}",
    "is no text": "{{ '\\ud800' }}" + CHATML,
    "looks behind the curtain": "{{ ''.__class__.__mro__[1].__subclasses__() }}" + CHATML,
    "runs code": "{{ cycler.__init__.__globals__.os.system('true') }}" + CHATML,
    "reads a file": "{% include '/etc/passwd' %}" + CHATML,
    "changes what it is given": "{{ messages.append(1) }}" + CHATML,
    "endless itself": "x" * (MAX_TEMPLATE + 1),
}
GREEDY = {
    "counts for ever without a word": "{% set ns = namespace(n=0) %}{% for a in range(90000) %}"
    "{% set ns.n = ns.n + 1 %}{% endfor %}",
    "calls itself": "{% macro f(n) %}{{ f(n - 1) if n }}{{ f(n - 1) if n }}{% endmacro %}"
    "{{ f(60) }}",
    "multiplies a list": "{% set x = [0] * 99999999999 %}",
    "a huge power": "{{ 9 ** 9 ** 9 ** 9 }}",
    "pads": "{{ 'x'.ljust(99999999999) }}",
    "pads by a filter": "{{ 'x' | center(99999999999) }}",
    "pads by a format": "{{ '%99999999999d' % 1 }}",
    "pads by a method": "{{ '{:99999999999d}'.format(1) }}",
    "writes nonsense texts": "{{ lipsum(n=9999999) }}",
    "doubles by joining": "{% set ns = namespace(s='x') %}{% for a in range(60) %}"
    "{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
    "doubles by replacing": "{% set ns = namespace(s='xx') %}{% for a in range(60) %}"
    "{% set ns.s = ns.s | replace('x', ns.s) %}{% endfor %}",
    "makes batches": "{{ [1]|batch(300000000, 0) }}",
    "makes slices": "{{ [1]|slice(10**10)|list }}",
    "formats bytes": "{{ '%3000000000d'.encode() % 1 }}",
    "rounds": "{{ 1|round(1000000000, 'ceil') }}",
    "doubles bytes": "{% set ns = namespace(s='x'.encode()) %}{% for a in range(60) %}"
    "{% set ns.s = ns.s + ns.s %}{% endfor %}{{ ns.s|length }}",
    "nests lists": "{% set ns = namespace(s=[1]) %}{% for a in range(40) %}"
    "{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s }}",
    "replaces": "{{ ('x' * 16384)|replace('x', 'x' * 16384)|length }}",
    "joins": "{{ ('x' * 16384).join('y' * 16384)|length }}",
    "filters for ever": "{{ range(99999)|map('string')|map('batch', 99999)|map('list')|list }}",
    "doubles a list": "{% set ns = namespace(s=[0]) %}{% for a in range(60) %}"
    "{% set ns.s = ns.s + ns.s %}{% endfor %}",
}
"""More ways to the limits of time and memory."""


@pytest.mark.parametrize(
    "template",
    [
        *(pytest.param(text, id=name) for name, text in USELESS.items()),
        *(pytest.param(text, id=name, marks=pytest.mark.slow) for name, text in GREEDY.items()),
    ],
)
def test_a_template_out_for_trouble_is_an_error_soon(template: str) -> None:
    """It raises, counts, grows or looks around: it is over soon, and is one short complaint."""
    with pytest.raises(TemplateError) as caught:
        read_frame(template, SPECIAL, SHORT)
    assert len(str(caught.value)) <= 300
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{{ (1).to_bytes(3000000000, 'big') }}", "it takes more than 128 MB of memory"),
        ("{% for a in range(99999) %}" * 3 + "{% endfor %}" * 3, "it takes more than 1 seconds"),
        ("{{ 'x' * 20000 }}", "it writes more than 16384 characters"),
        ("{{ messages[0].content }}", "it writes what it is given 0 times"),
        ("{{ 1 // 0 }}", "it fails"),
        ("{{ raise_exception('Only for tools') }}", "it says 'Only for tools'"),
        ("{{ raise_exception('\\ud800\\n') }}", r"it says '\ud800\n'"),
    ],
)
def test_what_is_wrong_with_a_template_is_said(template: str, words: str) -> None:
    """What it took too much of, or its own words, on one line and readable."""
    with pytest.raises(TemplateError) as caught:
        read_frame(template, SPECIAL, SHORT)
    assert str(caught.value) == words


def test_what_a_template_says_is_passed_on_shortened() -> None:
    """Its own words help to understand, up to a length."""
    with pytest.raises(TemplateError) as caught:
        read_frame("{{ raise_exception(range(9000)|join) }}", SPECIAL)
    assert len(str(caught.value)) < 300


def test_special_tokens_that_are_no_text_are_refused() -> None:
    """Half a pair of surrogates cannot be sent anywhere."""
    with pytest.raises(TemplateError, match="no text"):
        read_frame(CHATML, {"bos_token": "\ud800"})
