"""The models that can be joined with, as the window needs them: those that are on this computer.

Until the helper has listed them, they are read from the catalogue's own file and from the notes
beside fetched models, because the window may not reach ``core.models``; only the few fields that
are shown are looked at, the engine checks the rest. A model that would have to be fetched first is
offered by the page Models, which tells how many gigabytes that is.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from core.api.models import ModelsListed
from core.errors import ModelError
from core.i18n import translatable
from core.paths import RESOURCES

CATALOGUE = RESOURCES / "models.toml"
NOTE = "waggle.json"
"""What ``core.models.catalog.library`` writes into the folder of a model once it is whole."""


class ModelChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A model as a person chooses it."""

    id: str
    title: str
    sentence: str = ""
    parameters: int = 0  # 0: not known yet
    repo: str | None = None  # where it was fetched from; None: it ships with Waggle
    round_s: float | None = None  # that a round takes here; None: not known


class _Catalogue(msgspec.Struct, frozen=True):
    models: tuple[ModelChoice, ...]


class _Note(msgspec.Struct, frozen=True):
    id: str
    repo: str


def load_choices(fetched: Path | None = None, path: Path = CATALOGUE) -> tuple[ModelChoice, ...]:
    """The models that ship, at least one, and those in the folder ``fetched``.

    Raises:
        ModelError: the catalogue is missing or damaged.
    """
    listed = load_known(path)
    notes = {note.id: note for note in _notes(fetched)}
    here = [choice for choice in listed if choice.repo is None or choice.id in notes]
    if not any(choice.repo is None for choice in here):
        raise ModelError(
            translatable("The list of models {} is empty. Install Waggle again.", path)
        )
    known = {choice.id for choice in here}
    others = [n for n in notes.values() if n.id not in known]
    return (*here, *(ModelChoice(id=n.id, title=n.repo, repo=n.repo) for n in others))


def load_known(path: Path = CATALOGUE) -> tuple[ModelChoice, ...]:
    """All models of the catalogue, on this computer or not.

    Raises:
        ModelError: the catalogue is missing or damaged.
    """
    try:
        return msgspec.toml.decode(path.read_bytes(), type=_Catalogue).models
    except (OSError, UnicodeDecodeError, msgspec.DecodeError) as error:
        raise ModelError(
            translatable(
                "The list of models {} cannot be read ({}). Install Waggle again.", path, error
            )
        ) from error


def choices_of(listed: ModelsListed) -> tuple[ModelChoice, ...]:
    """The models on this computer among those that the helper ``listed``."""
    return tuple(
        ModelChoice(
            id=model.id,
            title=model.title,
            sentence=model.sentence,
            parameters=model.parameters,
            repo=model.repo or None,
            round_s=model.round_s,
        )
        for model in listed.models
        if model.is_here
    )


def offered(choices: Sequence[ModelChoice], guest: str) -> tuple[ModelChoice, ...]:
    """What Home offers: the models that ship, and the one with the id ``guest``."""
    return tuple(choice for choice in choices if choice.repo is None or choice.id == guest)


def pick(choices: Sequence[ModelChoice], wish: str) -> str:
    """The id ``wish``, if that is among ``choices``; else that of the first one."""
    return wish if any(choice.id == wish for choice in choices) else choices[0].id


def _notes(fetched: Path | None) -> Iterator[_Note]:
    for path in () if fetched is None else sorted(fetched.glob(f"[!.]*/{NOTE}")):
        try:
            note = msgspec.json.decode(path.read_bytes(), type=_Note)
        except (OSError, UnicodeDecodeError, msgspec.DecodeError):
            continue  # the page Models says that it is damaged
        if note.id == path.parent.name:
            yield note
