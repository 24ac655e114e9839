"""Rows of ``waggle models``."""

from typing import Literal

import msgspec

from core.api.models import Presence
from core.models.memory.fit import MemoryEstimate
from core.services.model_inventory import ModelEntry, ModelVerdict
from core.storage.room import size_in_words

_BILLION = 10**9

State = Literal["here", "absent", "half fetched", "damaged"]

_STATES: dict[Presence, State] = {
    "ships": "here",
    "installed": "here",
    "available": "absent",
    "partly": "half fetched",
    "damaged": "damaged",
}


class ModelRow(msgspec.Struct, frozen=True, kw_only=True):
    """A model as ``--json`` prints it; sizes are bytes.

    Of a model in no catalogue of which files are missing, only the first fields are known.
    """

    id: str
    title: str
    repo: str | None
    state: State
    installed: bool
    download: int
    came_in: int  # of a download that was interrupted
    sentence: str = ""
    terms: str = ""
    family: str | None = None
    parameters: int | None = None
    licence: str | None = None
    device: str | None = None
    free_memory: int | None = None
    memory: int | None = None
    parts: MemoryEstimate | None = None
    verdict: str | None = None
    instead: str | None = None  # the next smaller model that is not too large

    @property
    def cells(self) -> tuple[str, str, str, str, str]:
        """The line of the table."""
        return (
            self.id,
            "" if self.parameters is None else _count_in_words(self.parameters),
            self._presence(),
            "" if self.memory is None else size_in_words(self.memory),
            ", rather ".join(filter(None, [self.verdict, self.instead])),
        )

    @property
    def words(self) -> str:
        """The remarks below the table."""
        name = self.id if self.parameters is not None else self.repo
        then = ""
        if self.state == "damaged":
            then = f"Files are missing; fetch it again with: waggle models get {name}"
        elif self.state == "half fetched":
            then = (
                f"The download was interrupted; go on with: waggle models get {name}, or remove "
                f"it with: waggle models remove {name}"
            )
        return " ".join(filter(None, [self.sentence, self.terms, then]))

    def _presence(self) -> str:
        return {
            "here": "here",
            "absent": size_in_words(self.download),
            "half fetched": f"half fetched, {size_in_words(self.came_in)}",
            "damaged": "damaged, fetch it again",
        }[self.state]


def row_of(model: ModelEntry) -> ModelRow:
    """The row of ``model``."""
    state = _STATES[model.presence]
    row = ModelRow(
        id=model.id,
        title=model.title,
        repo=model.repo,
        state=state,
        installed=state == "here",
        download=model.download,
        came_in=model.came_in,
    )
    return row if model.judged is None else _described(row, model.judged)


def _described(row: ModelRow, judged: ModelVerdict) -> ModelRow:
    spec, machine, fit = judged.spec, judged.machine, judged.fit
    return msgspec.structs.replace(
        row,
        sentence=spec.sentence,
        terms=spec.terms,
        family=spec.family,
        parameters=spec.parameters,
        licence=spec.licence,
        device=machine.device,
        free_memory=machine.memory,
        memory=fit.estimate.total,
        parts=fit.estimate,
        verdict=fit.words,
        instead=judged.instead.id if judged.instead else None,
    )


def _count_in_words(parameters: int) -> str:
    """Parameters as people say them: ``494 million``, ``1.2 billion``."""
    if parameters >= _BILLION:
        return f"{parameters / _BILLION:.1f} billion"
    return f"{parameters / 1e6:.3g} million"
