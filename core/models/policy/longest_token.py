"""How much text one token can stand for: what is longer than so many of them need not be encoded.

That is told where a text becomes bytes and all of them become tokens. Other tokenizers compose
signs, drop some, or have one token for all that they do not know, however long.
"""

from collections.abc import Iterable
from typing import cast

from tokenizers import Tokenizer, pre_tokenizers
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Digits, PreTokenizer, Split


def longest_token(tokenizer: Tokenizer) -> int | None:
    """The most characters of a text that one token stands for; None where there is no telling."""
    model, split = tokenizer.model, tokenizer.pre_tokenizer
    parts = [split]
    if isinstance(split, pre_tokenizers.Sequence):
        parts = list(cast("Iterable[PreTokenizer]", split))
    known = tokenizer.get_vocab(with_added_tokens=True)
    keeps_all = (
        tokenizer.normalizer is None
        and all(map(_drops_nothing, parts))
        and not any(a.lstrip or a.rstrip for a in tokenizer.get_added_tokens_decoder().values())
    )
    takes_all = (
        any(isinstance(part, ByteLevel) for part in parts)
        and isinstance(model, BPE)
        and not (model.continuing_subword_prefix or model.end_of_word_suffix)
        and known.keys() >= set(ByteLevel.alphabet())
    )
    return max(map(len, known)) if keeps_all and takes_all else None


def _drops_nothing(part: PreTokenizer | None) -> bool:
    if isinstance(part, Split):
        return part.behavior != "removed"
    return isinstance(part, ByteLevel | Digits)
