"""By how few tokens a long text can be told, and of which tokenizers nobody knows."""

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import BPE, WordPiece

from core.models.policy.language import open_tokenizer
from core.models.policy.longest_token import longest_token
from core.paths import RESOURCES
from tests.present import present


@pytest.fixture(scope="module", params=["spark", "ember"])
def starter(request: pytest.FixtureRequest) -> Tokenizer:
    return open_tokenizer(RESOURCES / "models" / str(request.param))


@given(st.text(max_size=300) | st.text("e\u0301 \n漢7\U0001f41d", max_size=300))
def test_no_token_of_a_starter_stands_for_more_than_its_longest(
    starter: Tokenizer, text: str
) -> None:
    """What is longer than so many of them cannot be as few tokens, whatever its signs."""
    tokens = len(starter.encode(text, add_special_tokens=False).ids)
    assert len(text) <= tokens * present(longest_token(starter))


def test_a_starter_has_texts_of_its_longest_token_alone(starter: Tokenizer) -> None:
    """The bound is no larger than it has to be."""
    token = max(starter.get_vocab(with_added_tokens=False), key=len)
    assert len(token) == longest_token(starter)
    text = starter.decode([present(starter.token_to_id(token))], skip_special_tokens=False)
    assert len(text) == longest_token(starter)


_BYTES = pre_tokenizers.ByteLevel(add_prefix_space=False)
_ALPHABET = {sign: number for number, sign in enumerate(sorted(_BYTES.alphabet()))}


def _of_bytes(vocabulary: Mapping[str, int] = _ALPHABET) -> Tokenizer:
    """A tokenizer of which each token is one byte."""
    tokenizer = Tokenizer(BPE(dict(vocabulary), []))
    tokenizer.pre_tokenizer = _BYTES
    return tokenizer


def _composing() -> tuple[Tokenizer, str]:
    tokenizer = _of_bytes()
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()])
    return tokenizer, "e" + "\u0301" * 200


def _removing() -> tuple[Tokenizer, str]:
    tokenizer = _of_bytes()
    split = pre_tokenizers.Split(" ", behavior="removed")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, _BYTES])
    return tokenizer, "a" + " " * 200 + "b"


def _swallowing() -> tuple[Tokenizer, str]:
    tokenizer = _of_bytes()
    tokenizer.add_tokens([AddedToken("<t>", lstrip=True, special=False)])
    return tokenizer, " " * 200 + "<t>"


def _without_words() -> tuple[Tokenizer, str]:
    tokenizer = Tokenizer(WordPiece(_ALPHABET | {"[UNK]": 256}))
    tokenizer.pre_tokenizer = _BYTES
    return tokenizer, "a" * 200


def _without_all_bytes() -> tuple[Tokenizer, str]:
    known = {sign: number for sign, number in _ALPHABET.items() if sign != "b"}
    return _of_bytes(known), "a" + "b" * 200


def _without_bytes() -> tuple[Tokenizer, str]:
    tokenizer = _of_bytes()
    tokenizer.pre_tokenizer = pre_tokenizers.Digits()
    return tokenizer, "a" + "漢" * 200


def _with_another_beginning() -> tuple[Tokenizer, str]:
    tokenizer = Tokenizer(BPE(dict(_ALPHABET), [], continuing_subword_prefix="##"))
    tokenizer.pre_tokenizer = _BYTES
    return tokenizer, "a" * 200


@pytest.mark.parametrize(
    "example",
    [
        _composing,
        _removing,
        _swallowing,
        _without_words,
        _without_all_bytes,
        _without_bytes,
        _with_another_beginning,
    ],
)
def test_where_signs_may_be_lost_no_token_is_the_longest(
    example: Callable[[], tuple[Tokenizer, str]],
) -> None:
    """A long text may be few tokens there, and must not be taken for one that cannot fit."""
    tokenizer, text = example()
    longest = max(map(len, tokenizer.get_vocab(with_added_tokens=True)))
    assert len(text) > longest * len(tokenizer.encode(text, add_special_tokens=False).ids)
    assert longest_token(tokenizer) is None
    assert longest_token(_of_bytes()) == 1
