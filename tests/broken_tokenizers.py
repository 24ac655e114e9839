"""Tokenizers that can be read and cannot be used, as ``tokenizer.json`` describes them."""

from tests.tiny_models import END


def _tokenizer(**parts: object) -> dict[str, object]:
    special = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {
        "version": "1.0",
        "added_tokens": [
            {"id": 1, "content": END, "special": True, **special},
            {"id": 2, "content": "<|im_end|>", "special": True, **special},
        ],
        "model": {"type": "WordLevel", "vocab": {"a": 0, END: 1, "?": 3}, "unk_token": "?"},
        **parts,
    }


def _split(regex: str) -> dict[str, object]:
    pattern = {"Regex": regex}
    return {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}


def _replace(regex: str, content: str) -> dict[str, object]:
    return {"type": "Replace", "pattern": {"Regex": regex}, "content": content}


BROKEN: dict[str, dict[str, object]] = {
    "no word for others": _tokenizer(
        model={"type": "WordLevel", "vocab": {"a": 0, END: 1}, "unk_token": "[UNK]"}
    ),
    "pieces of no length": _tokenizer(pre_tokenizer={"type": "FixedLength", "length": 0}),
    "a hopeless expression": _tokenizer(pre_tokenizer=_split(r"(a+)+$|(a|a)+b")),
}
"""The first makes the library raise, the others make it panic."""

HANGING = _tokenizer(normalizer={"type": "Sequence", "normalizers": [_replace(".", "a")] * 20_000})
"""Takes minutes for a page of text, and hardly any memory."""

GROWING = _tokenizer(normalizer={"type": "Sequence", "normalizers": [_replace("a", "a" * 30)] * 30})
"""Takes more memory than there is."""


def growing_at(word: str) -> dict[str, object]:
    """Takes more memory than there is for a text with ``word``, and for no other."""
    steps = [_replace(word, "\u0001" * 30), *[_replace("\u0001", "\u0001" * 30)] * 30]
    return _tokenizer(normalizer={"type": "Sequence", "normalizers": steps})
