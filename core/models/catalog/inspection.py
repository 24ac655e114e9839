"""Looks at a model's folder without loading it: what it is, and whether it can be used at all.

Imports no torch, so that a download can be refused at once.
"""

from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final

from core.errors import BusyError
from core.i18n import translatable, words_of
from core.models.catalog.catalog import ModelSpec, id_of
from core.models.catalog.shapes import Architecture, read_architecture, unusable
from core.models.catalog.tokenizer_trial import try_tokenizer
from core.models.catalog.weight_headers import SINGLE, WeightsError, check_headers, check_index
from core.models.policy.confined import may_pass
from core.models.policy.language import LanguageError, has_template, read_frame_of, read_language

SENTENCE: Final = "Chosen by its name on Hugging Face; nobody has tried it here yet."
LICENCE: Final = "see its page on Hugging Face"
"""What a model in no catalogue has, where those of the catalogue have words of their own."""

LORA_RANK: Final = 16
CONTEXT: Final = 2048
COMPLETION_TOKENS: Final = 256
LARGE: Final = 1_000_000_000
"""Parameters above which a model that nobody has tried yet learns in smaller steps."""

MIN_CONTEXT: Final = 256
"""Tokens that a puzzle and its answer take."""


def derive_spec(repo: str, folder: Path) -> ModelSpec:
    """Describe a model that is in no catalogue, from its own files, with careful defaults.

    Raises:
        ModelError: its configuration is damaged or of an architecture that is not supported, or it
            reads no texts of a useful length.
    """
    architecture = architecture_of(folder, repo)
    if architecture.context < MIN_CONTEXT:
        raise unusable(
            repo, translatable("it reads no more than {} tokens at once", architecture.context)
        )
    parameters = architecture.parameters
    context = min(architecture.context, CONTEXT)
    try:
        chat = has_template(folder)
    except LanguageError as error:
        raise unusable(repo, words_of(error)) from error
    return ModelSpec(
        id=id_of(repo),
        title=repo,
        sentence=SENTENCE,
        family=architecture.family,
        shape=architecture.shape,
        parameters=parameters,
        folder=folder,
        repo=repo,
        chat=chat,
        lora_rank=LORA_RANK,
        lora_alpha=2.0 * LORA_RANK,
        learning_rate=2e-5 if parameters > LARGE else 5e-5,
        completion_tokens=min(COMPLETION_TOKENS, context // 2),
        context=context,
        licence=LICENCE,
    )


def architecture_of(folder: Path, name: str) -> Architecture:
    """Read the configuration in ``folder``.

    Raises:
        ModelError: it is missing, damaged or of an architecture that is not supported.
    """
    try:
        config = (folder / "config.json").read_bytes()
    except OSError as error:
        raise unusable(name, translatable("its configuration is missing")) from error
    return read_architecture(config, name)


def check_description(spec: ModelSpec) -> None:
    """Make sure of all that can be known without the weights.

    Raises:
        ModelError: the model is of another family than its entry says, its tokenizer or chat
            template is of no use or leaves no room, or its list of weights is that of another
            network.
        BusyError: that could not be found out now.
    """
    architecture = architecture_of(spec.folder, spec.title)
    if architecture.family != spec.family:
        other = translatable("it is of the family {}, not {}", architecture.family, spec.family)
        raise unusable(spec.title, other)
    try:
        check_index(spec.folder, architecture)
        # First where it can do no harm, also on what its own template will give it to read.
        try_tokenizer(spec.folder, _framing(spec))
        language = read_language(spec.folder, chat=spec.chat)
    except (LanguageError, WeightsError) as error:
        if may_pass(error):
            raise untried(spec.title, words_of(error)) from error
        raise unusable(spec.title, words_of(error)) from error
    if architecture.shape.vocabulary < language.rows:
        raise unusable(spec.title, translatable("its tokenizer belongs to another model"))
    room = spec.context - len(language.before) - len(language.after)
    if spec.chat and room < MIN_CONTEXT:
        raise unusable(
            spec.title,
            translatable(
                "its chat template leaves {} of {} tokens for a question and its answer, "
                "which take {}",
                max(0, room),
                spec.context,
                MIN_CONTEXT,
            ),
        )


def _framing(spec: ModelSpec) -> tuple[str, ...]:
    """The texts that the chat template puts around every question; nothing where there is none."""
    if not spec.chat:
        return ()
    frame = read_frame_of(spec.folder)
    return frame.before, frame.after, frame.closing


def check_listed(spec: ModelSpec, names: AbstractSet[str]) -> AbstractSet[str]:
    """Which of the weight files that a hub lists are needed; the others hold the same again.

    Raises:
        ModelError: one that is needed is not among them.
    """
    try:
        places = check_index(spec.folder, architecture_of(spec.folder, spec.title))
    except WeightsError as error:
        raise unusable(spec.title, words_of(error)) from error
    needed = {SINGLE} if places is None else set(places.values())
    if not needed <= names:
        raise unusable(
            spec.title, translatable("its weights in {} are missing", min(needed - names))
        )
    return needed


def check_weights(spec: ModelSpec) -> None:
    """Make sure that all weights are there, by the headers of their files.

    Raises:
        ModelError: a file is missing, damaged or shorter than it should be, or the weights are not
            those of the network that the configuration describes.
    """
    try:
        check_headers(spec.folder, architecture_of(spec.folder, spec.title))
    except WeightsError as error:
        raise unusable(spec.title, words_of(error)) from error


def untried(name: str, why: str) -> BusyError:
    """The error for a model that may be good, which cannot be told right now."""
    return BusyError(
        translatable("The model {} cannot be used now: {}. Try again later.", name, why)
    )
