"""A Hugging Face byte-level tokenizer in the words of a GGUF file.

llama.cpp knows pre-tokenizers by name and has each one's splitting built in, so a tokenizer can
only be written if its own splitting is one of those; anything else would load and then silently
read other tokens.
"""

from dataclasses import dataclass
from typing import Final

import msgspec
from gguf import GGUFWriter, TokenType

from core.errors import ModelError
from core.i18n import translatable
from core.models.catalog.catalog import ModelSpec
from core.models.policy.language import (
    LanguageError,
    read_language,
    read_settings,
    read_template,
)

_Json = dict[str, object]

_CONTRACTIONS: Final = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_REST: Final = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_WORDS: Final = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_QWEN2: Final = rf"{_CONTRACTIONS}|{_WORDS}|\p{{N}}|{_REST}"
_LLAMA3: Final = rf"{_CONTRACTIONS}|{_WORDS}|\p{{N}}{{1,3}}|{_REST}"

_PLAIN_TEMPLATE: Final = (
    "{% for message in messages %}{{ message['content'] | trim }}{{ '\\n' }}{% endfor %}"
)
"""How a model without a template of its own was asked here: see ``Policy.encode_prompt``."""


class _AddedToken(msgspec.Struct, frozen=True):
    """A token that is found in a text before anything else is split."""

    id: int
    content: str
    special: bool = False


class _Bpe(msgspec.Struct, frozen=True):
    """The part of the merging model that GGUF has words for."""

    type: str
    vocab: dict[str, int]
    merges: list[str | tuple[str, str]]
    ignore_merges: bool = False


class _TokenizerFile(msgspec.Struct, frozen=True):
    """The part of ``tokenizer.json`` that is written."""

    model: _Bpe
    added_tokens: list[_AddedToken]
    pre_tokenizer: _Json | None = None
    normalizer: _Json | None = None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All that a GGUF file says about a tokenizer."""

    pre: str  # llama.cpp's name of the pre-tokenizer
    tokens: tuple[str, ...]
    types: tuple[TokenType, ...]
    merges: tuple[str, ...]
    eos: int
    bos: int  # the end where the model has no beginning
    pad: int
    opens: bool  # every text starts with ``bos``, unless a template says otherwise
    template: str

    def write(self, writer: GGUFWriter) -> None:
        """Put it into the header of a file."""
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre(self.pre)
        writer.add_token_list(self.tokens)
        writer.add_token_types(self.types)
        writer.add_token_merges(self.merges)
        writer.add_eos_token_id(self.eos)
        writer.add_bos_token_id(self.bos)
        writer.add_pad_token_id(self.pad)
        writer.add_add_bos_token(self.opens)
        writer.add_chat_template(self.template)


def read_vocabulary(spec: ModelSpec, size: int) -> Vocabulary:
    """Read the tokenizer of ``spec``; the vocabulary is filled up to the ``size`` of the network.

    Raises:
        ModelError: the files are damaged, or llama.cpp has no such tokenizer.
    """
    try:
        data = (spec.folder / "tokenizer.json").read_bytes()
        file = msgspec.json.decode(data, type=_TokenizerFile)
        settings = read_settings(spec.folder)
        language = read_language(spec.folder, chat=spec.chat)
        template = read_template(spec.folder, settings)
    except (OSError, UnicodeDecodeError, msgspec.MsgspecError, LanguageError) as error:
        raise ModelError(
            translatable(
                "The tokenizer of the model {} in {} is missing, damaged or "
                "of an unknown kind. Install the model again, or export it in another form.",
                spec.title,
                spec.folder,
            )
        ) from error
    ids = file.model.vocab | {token.content: token.id for token in file.added_tokens}
    pre = _pre(file)
    if pre is None or max(ids.values()) >= size:
        raise ModelError(
            translatable(
                "llama.cpp has no tokenizer like that of the model {}. "
                "Save it as Whole model or as The learnt part only (adapter) instead; on the "
                "command line with --to merged or --to peft.",
                spec.title,
            )
        )
    special = {name: ids.get(text) for name, text in settings.special().items()}
    eos, bos, pad = language.eos_id, special.get("bos_token"), special.get("pad_token")
    tokens, types = _tokens(file, size)
    return Vocabulary(
        pre=pre,
        tokens=tokens,
        types=types,
        merges=tuple(m if isinstance(m, str) else " ".join(m) for m in file.model.merges),
        eos=eos,
        bos=eos if bos is None else bos,
        pad=eos if pad is None else pad,
        opens=not spec.chat and language.before == (bos,),
        template=template or _PLAIN_TEMPLATE,
    )


def _tokens(file: _TokenizerFile, size: int) -> tuple[tuple[str, ...], tuple[TokenType, ...]]:
    """Texts and types by id; rows of the network that no text stands for are unused."""
    tokens = [f"[PAD{i}]" for i in range(size)]
    types = [TokenType.UNUSED] * size
    for text, i in file.model.vocab.items():
        tokens[i], types[i] = text, TokenType.NORMAL
    for added in file.added_tokens:
        tokens[added.id] = added.content
        types[added.id] = TokenType.CONTROL if added.special else TokenType.USER_DEFINED
    return tuple(tokens), tuple(types)


def _pre(file: _TokenizerFile) -> str | None:
    """llama.cpp's name for how the tokenizer splits a text; None where it has no such way."""
    normalised = (file.normalizer or {}).get("type", "NFC")
    if file.model.type != "BPE" or normalised != "NFC":  # llama.cpp leaves NFC to its caller
        return None
    parts = (file.pre_tokenizer or {}).get("pretokenizers", [file.pre_tokenizer])
    steps = [_step(part) for part in parts] if isinstance(parts, list) else []
    known = {
        ("digits", "words"): ("smollm", False),
        ("words",): ("gpt-2", False),
        (_QWEN2, "bytes"): ("qwen2", False),
        (_LLAMA3, "bytes"): ("llama-bpe", True),
    }
    name, ignores_merges = known.get(tuple(steps), (None, False))
    return name if file.model.ignore_merges == ignores_merges else None


def _step(part: object) -> str:
    """One step of a pre-tokenizer as a word; an unknown one is a word that nothing knows."""
    match part:
        case {"type": "Digits", "individual_digits": True}:
            return "digits"
        case {"type": "ByteLevel", "add_prefix_space": False, "use_regex": bool(splits)}:
            return "words" if splits else "bytes"
        case {
            "type": "Split",
            "pattern": {"Regex": str(regex)},
            "behavior": "Isolated",
            "invert": False,
        }:
            return regex
    return ""
