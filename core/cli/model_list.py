"""What ``waggle models`` lists: the catalogue, and whatever else was fetched or begun."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from core.errors import ModelError
from core.models.catalog import ModelCatalog, ModelSpec, load_models, size_in_words
from core.models.fit import Estimate, Machine, judge_fit, next_smaller
from core.models.library import Library, find_model
from core.models.machine import large_model_machine, processor_machine
from core.models.manifest import Manifest
from core.paths import Home

_BILLION = 10**9

State = Literal["here", "absent", "half fetched", "damaged"]


class Row(msgspec.Struct, frozen=True, kw_only=True):
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
    sentence: str
    terms: str = ""
    family: str | None = None
    parameters: int | None = None
    licence: str | None = None
    device: str | None = None
    free_memory: int | None = None
    memory: int | None = None
    parts: Estimate | None = None
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
        """What stands below the table."""
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


class _Shelf:
    """What of the library is there, in whole or in part."""

    def __init__(self, home: Home) -> None:
        self._home, self._library = home, Library(home.models)
        self._fetched = {manifest.id: manifest for manifest in self._library.manifests()}
        self._begun = {manifest.id: (manifest, size) for manifest, size in self._library.drafts()}

    def state(self, spec: ModelSpec) -> State:
        return "here" if spec.repo is None else self._state(spec.id)

    def came_in(self, model_id: str) -> int:
        return self._begun[model_id][1] if model_id in self._begun else 0

    def others(self, catalogue: ModelCatalog) -> Iterator[tuple[Manifest, State, ModelSpec | None]]:
        """Models of no catalogue; those that are whole with their description."""
        manifests = {name: manifest for name, (manifest, _) in self._begun.items()} | self._fetched
        for name, manifest in sorted(manifests.items()):
            if catalogue.find(name) is not None:
                continue
            state = self._state(name)
            try:
                yield manifest, state, find_model(name, self._home) if state == "here" else None
            except ModelError:  # the files have their sizes, and not their content
                yield manifest, "damaged", None

    def _state(self, model_id: str) -> State:
        manifest = self._fetched.get(model_id)
        if manifest is not None and self._library.is_whole(manifest):
            return "here"
        if model_id in self._begun:
            return "half fetched"
        return "absent" if manifest is None else "damaged"


def list_models(home: Home) -> Iterator[Row]:
    """All rows; quick, since of what was fetched only the sizes of its files are compared."""
    catalogue, shelf = load_models(), _Shelf(home)
    machines = processor_machine(), large_model_machine()
    for spec in catalogue.models:
        yield _row(spec, catalogue, machines, shelf.state(spec), shelf.came_in(spec.id))
    for manifest, state, found in shelf.others(catalogue):
        if found is not None:
            yield _row(found, catalogue, machines, state)
        else:
            yield _bare_row(manifest, state, shelf.came_in(manifest.id))


def _row(
    spec: ModelSpec,
    catalogue: ModelCatalog,
    machines: tuple[Machine, Machine],
    state: State,
    came_in: int = 0,
) -> Row:
    machine = machines[not spec.is_small]
    fit = judge_fit(spec, machine)
    instead = next_smaller(spec, catalogue, machine) if fit.verdict == "too large" else None
    return Row(
        id=spec.id,
        title=spec.title,
        repo=spec.repo,
        state=state,
        installed=state == "here",
        download=spec.download,
        came_in=came_in,
        sentence=spec.sentence,
        terms=spec.terms,
        family=spec.family,
        parameters=spec.parameters,
        licence=spec.licence,
        device=machine.device,
        free_memory=machine.memory,
        memory=fit.estimate.total,
        parts=fit.estimate,
        verdict=fit.verdict,
        instead=instead.id if instead else None,
    )


def _bare_row(manifest: Manifest, state: State, came_in: int) -> Row:
    return Row(
        id=manifest.id,
        title=manifest.repo,
        repo=manifest.repo,
        state=state,
        installed=False,
        download=manifest.size,
        came_in=came_in,
        sentence="",
    )


def _count_in_words(parameters: int) -> str:
    """Parameters as people say them: ``494 million``, ``1.2 billion``."""
    if parameters >= _BILLION:
        return f"{parameters / _BILLION:.1f} billion"
    return f"{parameters / 1e6:.3g} million"
