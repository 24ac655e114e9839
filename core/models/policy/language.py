"""A model's language: its tokenizer, the frame of a question, and the end of a text.

Imports no torch, so that a download can be tried before it counts as installed.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
from tokenizers import Tokenizer

from core.i18n import translatable
from core.models.policy.prompts import SYSTEM, Frame, TemplateError, read_frame

REHEARSED: Final = (
    "",
    f"{SYSTEM}\nCalculate 12 + 345 - 6.\n\nAnswer with the number alone.\n<answer>351</answer>",
    "".join(map(chr, range(32, 127))),
    "\ttabs\r\nand \u00a0spaces   \n\n\n1234567890\n",
    "Ärger, été, русский, ελληνικά, 漢字, かな, עברית, नमस्ते, \U0001f41d, e\u0301, \x00\x7f\ufffd",
    *(sign * 2_000 + end for sign in "a 1.\n" for end in ("", "!")),
    "aA1 ,.\n" * 300,
)
"""Texts of which each takes any tokenizer of a known model less than a hundredth of a second."""


_UNREADY: Final = translatable("its tokenizer cannot read every text")


class LanguageError(Exception):
    """The tokenizer of a model is of no use; its words go on after "it cannot be used:"."""


@dataclass(frozen=True, slots=True)
class Language:
    """Tokenizer, frame and end-of-sequence token of a model.

    A prompt is ``before``, then ``tokens(question.strip() + ending)``, then ``after``. Whatever a
    question spells out, its tokens are plain text: special ones stand in the frame alone.
    """

    tokenizer: Tokenizer
    eos_id: int  # ends a text; of a chat model, its turn
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    ending: str = "\n"

    @property
    def rows(self) -> int:
        """How many rows of an embedding its ids reach, which need not follow one another."""
        known = self.tokenizer.get_vocab(with_added_tokens=True).values()
        return 1 + max((*known, *self.before, *self.after))  # a frame's are the file's own word

    def encode_prompt(self, question: str) -> list[int]:
        """Token ids of a question in its frame; at least one."""
        return [*self.before, *self.encode(question.strip() + self.ending), *self.after]

    def encode(self, text: str) -> list[int]:
        """Token ids of plain text."""
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def decode(self, ids: Sequence[int]) -> str:
        """Text of ``ids`` without special tokens and surrounding white space."""
        return self.tokenizer.decode(list(ids), skip_special_tokens=True).strip()


class _SpecialToken(msgspec.Struct, frozen=True):
    """A special token written out in full."""

    content: str


class _NamedTemplate(msgspec.Struct, frozen=True):
    """One of a tokenizer's several chat templates."""

    name: str
    template: str


class TokenizerSettings(msgspec.Struct, frozen=True):
    """The part of ``tokenizer_config.json`` that matters here."""

    bos_token: str | _SpecialToken | None = None
    eos_token: str | _SpecialToken | None = None
    pad_token: str | _SpecialToken | None = None
    unk_token: str | _SpecialToken | None = None
    chat_template: str | tuple[_NamedTemplate, ...] | None = None

    def special(self) -> dict[str, str]:
        """The special tokens by name; templates may spell them out."""
        named = {
            "bos_token": self.bos_token,
            "eos_token": self.eos_token,
            "pad_token": self.pad_token,
            "unk_token": self.unk_token,
        }
        return {name: _content(token) for name, token in named.items() if token is not None}

    def template(self) -> str | None:
        """The template for talking; None where there is none."""
        if not isinstance(self.chat_template, tuple):
            return self.chat_template
        named = {entry.name: entry.template for entry in self.chat_template}
        return named.get("default")


class _Generation(msgspec.Struct, frozen=True):
    """The part of ``generation_config.json`` that matters here."""

    eos_token_id: int | tuple[int, ...] | None = None


def has_template(folder: Path) -> bool:
    """Whether the model in ``folder`` brings a chat template.

    Raises:
        LanguageError: its tokenizer's settings cannot be read.
    """
    return read_template(folder, read_settings(folder)) is not None


def read_frame_of(folder: Path) -> Frame:
    """The frame that the chat template in ``folder`` puts around a question.

    Raises:
        LanguageError: there is none, or it fails.
    """
    settings = read_settings(folder)
    return _read_frame(read_template(folder, settings), settings.special())


def read_language(folder: Path, *, chat: bool) -> Language:
    """Read tokenizer and, for a ``chat`` model, its template.

    The tokenizer's own library reads it: what the file says is what the model was made with, while
    transformers would rebuild parts of it from the model's family.

    Raises:
        LanguageError: files are missing or damaged, nothing ends a text, or the template fails.
    """
    settings = read_settings(folder)
    tokenizer = open_tokenizer(folder)
    rehearse(tokenizer)
    with _explained(translatable("its generation settings are damaged")):
        generation = _read_generation(folder)
    ends = _ends(tokenizer, settings, generation)
    with _explained(_UNREADY):
        if chat:
            language = _framed(tokenizer, ends, folder, settings)
        else:
            language = _plain(tokenizer, ends[0])
    # A stranger may write "<|end|>" in an answer; that is text and never the token.
    tokenizer.encode_special_tokens = True
    return language


def open_tokenizer(folder: Path) -> Tokenizer:
    """Read the tokenizer in ``folder``.

    Raises:
        LanguageError: it is missing or damaged.
    """
    with _explained(translatable("its tokenizer is missing or damaged")):
        tokenizer = Tokenizer.from_str((folder / "tokenizer.json").read_text("utf-8"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
    return tokenizer


def rehearse(tokenizer: Tokenizer, more: Sequence[str] = ()) -> None:
    """Try ``tokenizer`` on texts as they come up later, when an error would end a round.

    Those in ``more`` come up with this model only.

    Raises:
        LanguageError: it cannot read one of them.
    """
    with _explained(_UNREADY):
        for text in (*REHEARSED, *more):
            ids = tokenizer.encode(text, add_special_tokens=False).ids
            tokenizer.decode(ids, skip_special_tokens=True)


@contextmanager
def _explained(what: str) -> Iterator[None]:
    """Turn whatever the tokenizer's library raises into one sentence.

    It raises bare Exception for what it dislikes; and where its Rust code panics, an error that is
    no Exception, which nobody would catch before it has ended the engine.
    """
    try:
        yield
    except (LanguageError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        raise LanguageError(what) from error


def _plain(tokenizer: Tokenizer, eos_id: int) -> Language:
    """Questions as they are; after whatever the tokenizer starts every text with."""
    opening = tokenizer.encode("", add_special_tokens=True).ids
    return Language(tokenizer, eos_id, before=tuple(i for i in opening if i != eos_id))


def _framed(
    tokenizer: Tokenizer, ends: Sequence[int], folder: Path, settings: TokenizerSettings
) -> Language:
    frame = _read_frame(read_template(folder, settings), settings.special())
    before, after, closing = (
        tuple(tokenizer.encode(part, add_special_tokens=False).ids)
        for part in (frame.before, frame.after, frame.closing)
    )
    if not after and not before:
        raise LanguageError(translatable("its chat template adds nothing to a question"))
    # Of several tokens that may end a text, the one with which the template ends a turn does.
    eos_id = next((token for token in closing if token in ends), ends[0])
    return Language(tokenizer, eos_id, before, after, ending="")


def _read_frame(template: str | None, special: Mapping[str, str]) -> Frame:
    if template is None:
        raise LanguageError(translatable("its chat template is missing"))
    try:
        return read_frame(template, special)
    except TemplateError as error:
        raise LanguageError(translatable("its chat template is of no use: {}", error)) from error


def _ends(tokenizer: Tokenizer, settings: TokenizerSettings, generation: _Generation) -> list[int]:
    """Every token that may end a text, that of the tokenizer first."""
    own = settings.special().get("eos_token")
    eos_id = None if own is None else tokenizer.token_to_id(own)
    if eos_id is None:
        raise LanguageError(translatable("its tokenizer has no end-of-sequence token"))
    listed = generation.eos_token_id
    return [eos_id, *([listed] if isinstance(listed, int) else listed or ())]


def read_template(folder: Path, settings: TokenizerSettings) -> str | None:
    """The template of ``folder``, which newer models keep in a file of its own; None without one.

    Raises:
        LanguageError: it is damaged.
    """
    try:
        return (folder / "chat_template.jinja").read_text("utf-8")
    except FileNotFoundError:
        return settings.template()
    except (OSError, UnicodeDecodeError) as error:
        raise LanguageError(translatable("its chat template is damaged")) from error


def read_settings(folder: Path) -> TokenizerSettings:
    """The tokenizer's settings in ``folder``.

    Raises:
        LanguageError: they are missing or damaged.
    """
    try:
        return msgspec.json.decode(
            (folder / "tokenizer_config.json").read_bytes(), type=TokenizerSettings
        )
    except (OSError, UnicodeDecodeError, msgspec.DecodeError, RecursionError) as error:
        raise LanguageError(translatable("its tokenizer is missing or damaged")) from error


def _read_generation(folder: Path) -> _Generation:
    try:
        raw = (folder / "generation_config.json").read_bytes()
    except FileNotFoundError:
        return _Generation()
    return msgspec.json.decode(raw, type=_Generation)


def _content(token: str | _SpecialToken) -> str:
    return token.content if isinstance(token, _SpecialToken) else token
