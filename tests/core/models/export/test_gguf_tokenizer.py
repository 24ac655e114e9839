import json
from pathlib import Path
from typing import Any

import pytest
from gguf import TokenType
from jinja2 import Template

from core.errors import ModelError
from core.models.catalog.catalog import load_models
from core.models.export.gguf_tokenizer import read_vocabulary
from tests.tiny_models import END, build_tiny_model, tiny_spec

QWEN2 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
LLAMA3 = QWEN2.replace(r"\p{N}|", r"\p{N}{1,3}|")


def _split(regex: str) -> dict[str, object]:
    return {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False}


def _bytes(*, splits: bool) -> dict[str, object]:
    kept = {"add_prefix_space": False, "trim_offsets": True}
    return {"type": "ByteLevel", "use_regex": splits, **kept}


def _edit(path: Path, **changes: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | changes), "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return build_tiny_model(tmp_path / "tiny")


def test_the_starters_have_pre_tokenizers_that_llama_cpp_knows() -> None:
    """They were made so: spark reads like SmolLM, ember like Qwen2."""
    found = {spec.id: spec for spec in load_models().models}
    assert read_vocabulary(found["spark"], 1536).pre == "smollm"
    assert read_vocabulary(found["ember"], 2048).pre == "qwen2"


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([_split(QWEN2), _bytes(splits=False)], "qwen2"),
        ([_split(LLAMA3), _bytes(splits=False)], "llama-bpe"),
        ([_bytes(splits=True)], "gpt-2"),
    ],
)
def test_a_pre_tokenizer_is_known_by_what_it_does(
    folder: Path, steps: list[object], expected: str
) -> None:
    """Names in the file would prove nothing; the steps and their patterns decide."""
    model = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]
    _edit(
        folder / "tokenizer.json",
        pre_tokenizer={"type": "Sequence", "pretokenizers": steps},
        model=model | {"ignore_merges": expected == "llama-bpe"},  # as Llama 3 has it
    )
    assert read_vocabulary(tiny_spec(folder), 400).pre == expected


@pytest.mark.parametrize(
    "changes",
    [
        {"pre_tokenizer": _split(r"\s+")},
        {"pre_tokenizer": None},
        {"pre_tokenizer": {"type": "Whitespace"}},
        {"pre_tokenizer": {"type": "Sequence", "pretokenizers": []}},
        {"normalizer": {"type": "Lowercase"}},
    ],
)
def test_an_unknown_tokenizer_is_refused(folder: Path, changes: dict[str, object]) -> None:
    """A file that reads other tokens than the model was trained on would be worse than none."""
    _edit(folder / "tokenizer.json", **changes)
    with pytest.raises(ModelError, match=r"no tokenizer like that.* Whole model .*--to merged"):
        read_vocabulary(tiny_spec(folder), 400)


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer_config.json"])
@pytest.mark.parametrize("content", [None, b"", b"{", b'{"model": {"type": "Unigram"}}', b"\xff"])
def test_a_damaged_tokenizer_is_one_sentence(
    folder: Path, name: str, content: bytes | None
) -> None:
    """Missing, cut or of another kind: the message names the model."""
    (folder / name).unlink()
    if content is not None:
        (folder / name).write_bytes(content)
    with pytest.raises(ModelError, match="model Tiny"):
        read_vocabulary(tiny_spec(folder), 400)


def test_every_row_of_the_network_has_a_token(folder: Path) -> None:
    """Texts stand at their ids, special ones are marked, and rows without a text are unused."""
    vocabulary = read_vocabulary(tiny_spec(folder), 400)
    tokens: dict[str, Any] = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]
    assert all(vocabulary.tokens[i] == text for text, i in tokens["vocab"].items())
    assert len(vocabulary.tokens) == len(set(vocabulary.tokens)) == 400
    end = vocabulary.tokens.index(END)
    assert (vocabulary.eos, vocabulary.bos, vocabulary.pad) == (end, end, end)
    assert vocabulary.types[end] is TokenType.CONTROL
    assert vocabulary.types[end + 1] is TokenType.NORMAL
    assert vocabulary.types[399] is TokenType.UNUSED


def test_a_network_smaller_than_its_tokenizer_is_refused(folder: Path) -> None:
    """Tokens without a row cannot be written."""
    with pytest.raises(ModelError, match=r"no tokenizer like that.* Whole model .*--to merged"):
        read_vocabulary(tiny_spec(folder), 100)


def test_the_own_chat_template_is_kept(folder: Path) -> None:
    """From the configuration, from a list of several, or from a file of its own."""
    path = folder / "tokenizer_config.json"
    _edit(path, chat_template="{{ 1 }}")
    assert read_vocabulary(tiny_spec(folder), 400).template == "{{ 1 }}"
    several = [{"name": "tools", "template": "t"}, {"name": "default", "template": "d"}]
    _edit(path, chat_template=several)
    assert read_vocabulary(tiny_spec(folder), 400).template == "d"
    (folder / "chat_template.jinja").write_text("file", "utf-8")
    assert read_vocabulary(tiny_spec(folder), 400).template == "file"


def test_without_a_template_a_chat_asks_as_practice_does(folder: Path) -> None:
    """The message, stripped, and a line break: ``Policy.encode_prompt``."""
    template = read_vocabulary(tiny_spec(folder), 400).template
    asked = Template(template, keep_trailing_newline=True).render(
        messages=[{"role": "user", "content": "  2 + 2? \n"}]
    )
    assert asked == "2 + 2?\n"
