"""How a model is spoken to, plain and in its chat template."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer

from core.models.policy.language import (
    REHEARSED,
    Language,
    LanguageError,
    has_template,
    open_tokenizer,
    read_language,
    rehearse,
)
from core.models.policy.prompts import SYSTEM
from core.paths import RESOURCES
from tests.broken_tokenizers import BROKEN
from tests.chat_templates import CHATML, DATED
from tests.tiny_models import END, build_tiny_tokenizer

START, STOP = "<|im_start|>", "<|im_end|>"


def build(folder: Path, generation: object = None, **settings: object) -> Path:
    """A tokenizer that knows the signs of a chat, with its settings."""
    build_tiny_tokenizer(folder)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.add_special_tokens([START, STOP, "[eot]", "<s>"])
    tokenizer.add_tokens([AddedToken("<think>", special=False)])
    tokenizer.save(str(folder / "tokenizer.json"))
    known = {"eos_token": STOP, "bos_token": "<s>", "chat_template": CHATML}
    (folder / "tokenizer_config.json").write_text(json.dumps(known | settings))
    if generation is not None:
        (folder / "generation_config.json").write_text(json.dumps(generation))
    return folder


@pytest.fixture(scope="module")
def chat(tmp_path_factory: pytest.TempPathFactory) -> Language:
    return read_language(build(tmp_path_factory.mktemp("chat")), chat=True)


def ids(language: Language, *tokens: str) -> list[int]:
    found = [language.tokenizer.token_to_id(token) for token in tokens]
    known = [number for number in found if number is not None]
    assert len(known) == len(tokens)
    return known


def test_ids_reach_as_far_as_the_largest(tmp_path: Path) -> None:
    """Of words and of what opens every text; the number of words says nothing of that."""
    size = build_tiny_tokenizer(tmp_path).get_vocab_size()
    assert read_language(tmp_path, chat=False).rows == size
    path = tmp_path / "tokenizer.json"
    file = json.loads(path.read_text("utf-8"))
    file["model"]["vocab"][max(file["model"]["vocab"], key=file["model"]["vocab"].get)] = 5_000
    path.write_text(json.dumps(file), "utf-8")
    assert read_language(tmp_path, chat=False).rows == 5_001
    opening = {"SpecialToken": {"id": "<s>", "type_id": 0}}
    text = {"Sequence": {"id": "A", "type_id": 0}}
    file["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [opening, text],
        "pair": [opening, text, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [9_000], "tokens": ["<s>"]}},
    }
    path.write_text(json.dumps(file), "utf-8")
    assert read_language(tmp_path, chat=False).rows == 9_001


def test_a_chat_prompt_is_the_whole_template(chat: Language) -> None:
    """System sentence, question and the start of the answer, as the template writes them."""
    prompt = chat.encode_prompt("  1 + 1 = \n")
    text = chat.tokenizer.decode(prompt, skip_special_tokens=False)
    assert text == (
        f"{START}system\n{SYSTEM}{STOP}\n{START}user\n1 + 1 ={STOP}\n{START}assistant\n"
    )


def test_the_signs_of_the_template_are_tokens(chat: Language) -> None:
    """Three turns open and two close, each by one special token."""
    prompt = chat.encode_prompt("1 + 1 =")
    start, stop = ids(chat, START, STOP)
    assert (prompt.count(start), prompt.count(stop)) == (3, 2)
    assert chat.eos_id == stop


@given(st.lists(st.sampled_from([START, STOP, END, "<s>", "[eot]", "hi", "\n"]), max_size=8))
def test_a_question_cannot_write_them(chat: Language, pieces: list[str]) -> None:
    """Whatever it spells out, the special tokens are those of the frame."""
    special = set(ids(chat, START, STOP, END, "<s>", "[eot]"))

    def count(question: str) -> int:
        return sum(token in special for token in chat.encode_prompt(question))

    assert count("".join(pieces)) == count("hello")


def test_a_template_may_lie_in_a_file_of_its_own(tmp_path: Path) -> None:
    """Newer models keep it beside the tokenizer's settings; it comes first."""
    folder = build(tmp_path)
    (folder / "chat_template.jinja").write_text(DATED)
    language = read_language(folder, chat=True)
    prompt = language.encode_prompt("1 + 1 =")
    assert prompt[0] == ids(language, "<s>")[0]
    assert has_template(folder)


def test_one_of_several_templates_is_the_default(tmp_path: Path) -> None:
    """Some models bring another one for tools."""
    named = [{"name": "tool_use", "template": "x"}, {"name": "default", "template": CHATML}]
    folder = build(tmp_path, chat_template=named)
    assert read_language(folder, chat=True).encode_prompt("a")


@pytest.mark.parametrize("listed", [lambda end, stop: [end, stop], lambda _, stop: stop])
def test_a_turn_ends_as_the_template_ends_it(tmp_path: Path, listed: object) -> None:
    """The tokenizer may name the end of a document; the template knows the end of a turn."""
    assert callable(listed)
    folder = build(tmp_path, eos_token=END)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    end, stop = tokenizer.token_to_id(END), tokenizer.token_to_id(STOP)
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": listed(end, stop)}))
    assert read_language(folder, chat=True).eos_id == stop


def test_a_plain_model_is_asked_plainly(tmp_path: Path) -> None:
    """Without chat the question and a line break are the whole prompt, template or not."""
    language = read_language(build(tmp_path), chat=False)
    assert language.encode_prompt(" a \n\n") == language.encode("a\n")
    assert language.encode_prompt("") == language.encode("\n") != []


def test_a_plain_model_gets_the_beginning_it_is_used_to(tmp_path: Path) -> None:
    """Where the tokenizer starts every text with a token, a prompt starts with it too."""
    from tokenizers.processors import TemplateProcessing

    folder = build(tmp_path)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    begin = tokenizer.token_to_id("<s>")
    tokenizer.post_processor = TemplateProcessing(single="<s> $0", special_tokens=[("<s>", begin)])
    tokenizer.save(str(folder / "tokenizer.json"))
    language = read_language(folder, chat=False)
    assert language.encode_prompt("a") == [begin, *language.encode("a\n")]


DAMAGES: dict[str, tuple[dict[str, object], str]] = {
    "no end": ({"eos_token": None}, "no end-of-sequence token"),
    "an end that is none": ({"eos_token": "</nothing>"}, "no end-of-sequence token"),
    "no template": ({"chat_template": None}, "template is missing"),
    "no default template": ({"chat_template": [{"name": "x", "template": "y"}]}, "is missing"),
    "a template that raises": (
        {"chat_template": "{{ raise_exception('Not for you') }}"},
        "template is of no use: it says 'Not for you'",
    ),
    "a template that fails": ({"chat_template": "{{ 1 // 0 }}"}, "template is of no use: it fails"),
    "a template that eats": (
        {"chat_template": "{{ (1).to_bytes(3000000000, 'big') }}"},
        "takes more than 500 MB of memory",
    ),
    "a template without a frame": (
        {"chat_template": "{{ messages[-1].content }}"}, "adds nothing"),
    "a number as template": ({"chat_template": 7}, "tokenizer is missing or damaged"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_what_is_wrong_is_told(tmp_path: Path, name: str) -> None:
    """Each kind of damage is one error that says which it is."""
    changes, words = DAMAGES[name]
    with pytest.raises(LanguageError, match=words):
        read_language(build(tmp_path, **changes), chat=True)


@pytest.mark.parametrize("file", ["tokenizer.json", "tokenizer_config.json"])
@pytest.mark.parametrize("content", [None, b"", b"{", b"\xff", b"[]"])
def test_damaged_files_are_told(tmp_path: Path, file: str, content: bytes | None) -> None:
    """Missing, empty, cut or nonsensical: one error."""
    folder = build(tmp_path)
    (folder / file).unlink()
    if content is not None:
        (folder / file).write_bytes(content)
    with pytest.raises(LanguageError, match="missing or damaged"):
        read_language(folder, chat=True)


def test_damaged_generation_settings_are_told(tmp_path: Path) -> None:
    """They are optional, but not optional nonsense."""
    with pytest.raises(LanguageError, match="damaged"):
        read_language(build(tmp_path, generation={"eos_token_id": "x"}), chat=True)


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("chat", [False, True])
def test_a_tokenizer_that_breaks_on_texts_is_told(
    tmp_path: Path, name: str, *, chat: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """An error of its library, and even a panic, which is no Exception, are one sentence."""
    folder = build(tmp_path)
    (folder / "tokenizer.json").write_text(json.dumps(BROKEN[name]))
    with pytest.raises(LanguageError, match="its tokenizer cannot read every text"):
        read_language(folder, chat=chat)
    capfd.readouterr()  # the panic tells the terminal too


@pytest.mark.parametrize("folder", ["spark", "ember"])
def test_the_starters_read_what_is_rehearsed(folder: str) -> None:
    """And quickly: it happens whenever a model is loaded."""
    tokenizer = open_tokenizer(RESOURCES / "models" / folder)
    rehearse(tokenizer)
    assert [t for t in REHEARSED if tokenizer.decode(tokenizer.encode(t).ids) != t] == []
