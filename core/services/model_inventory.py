"""Models that can be trained here: the catalogue, and others that were fetched or begun."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.api.models import Presence
from core.errors import ModelError
from core.models.catalog.catalog import ModelCatalog, ModelSpec, load_models
from core.models.catalog.library import Library, find_model
from core.models.catalog.manifest import Manifest
from core.models.memory.fit import Fit, Machine, judge_fit, next_smaller
from core.models.memory.machine import large_model_machine, processor_machine, rounds_by
from core.paths import Home
from core.settings import SettingsFile


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """Whether a model fits on a machine."""

    spec: ModelSpec
    machine: Machine
    fit: Fit
    instead: ModelSpec | None  # of one that is too large: the next smaller one that is not


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEntry:
    """One row of the list of models."""

    id: str
    title: str
    repo: str | None
    presence: Presence
    download: int  # bytes
    came_in: int  # bytes of a download that was begun
    judged: ModelVerdict | None  # None: it is in no catalogue and not whole, so nothing is known


class ModelJudge:
    """Says what fits here by the settings of ``home``; asks the machine once."""

    def __init__(self, catalogue: ModelCatalog, home: Home) -> None:
        self._catalogue = catalogue
        settings = SettingsFile(home.settings).current()
        spared = settings.rules.memory_floor  # see ``machine_for``
        large = large_model_machine(settings.compute.device, spared)
        self._machines = processor_machine(spared), large
        self._rounds = rounds_by(settings)

    def judge(self, spec: ModelSpec) -> ModelVerdict:
        """Whether ``spec`` can be trained here, and what else could where it is too large."""
        machine = self._machines[not spec.is_small]
        fit = judge_fit(spec, machine, self._rounds)
        is_too_large = fit.verdict == "too_large"
        context = self._catalogue, machine, self._rounds
        instead = next_smaller(spec, *context) if is_too_large else None
        return ModelVerdict(spec, machine, fit, instead)


def trainable_models(home: Home) -> Iterator[ModelEntry]:
    """All models; quick, since of what was fetched only the sizes of its files are compared."""
    catalogue, stock = load_models(), _Stock(home)
    judge = ModelJudge(catalogue, home).judge
    for spec in catalogue.models:
        yield ModelEntry(
            id=spec.id,
            title=spec.title,
            repo=spec.repo,
            presence=stock.presence(spec),
            download=spec.download,
            came_in=stock.came_in(spec.id),
            judged=judge(spec),
        )
    for manifest, presence, found in stock.others(catalogue):
        yield ModelEntry(
            id=manifest.id,
            title=manifest.repo,
            repo=manifest.repo,
            presence=presence,
            download=manifest.size,
            came_in=stock.came_in(manifest.id),
            judged=None if found is None else judge(found),
        )


class _Stock:
    """Index of the models in the library, whole or in part."""

    def __init__(self, home: Home) -> None:
        self._home, self._library = home, Library(home.models)
        self._fetched = {manifest.id: manifest for manifest in self._library.manifests()}
        self._begun = {manifest.id: (manifest, size) for manifest, size in self._library.drafts()}

    def presence(self, spec: ModelSpec) -> Presence:
        is_shipped = spec.repo is None or spec.folder.exists()
        return "ships" if is_shipped else self._presence(spec.id)

    def came_in(self, model_id: str) -> int:
        return self._begun[model_id][1] if model_id in self._begun else 0

    def others(
        self, catalogue: ModelCatalog
    ) -> Iterator[tuple[Manifest, Presence, ModelSpec | None]]:
        """Models of no catalogue; those that are whole with their description."""
        manifests = {name: manifest for name, (manifest, _) in self._begun.items()} | self._fetched
        for name, manifest in sorted(manifests.items()):
            if catalogue.find(name) is not None:
                continue
            presence = self._presence(name)
            try:
                is_here = presence == "installed"
                yield manifest, presence, find_model(name, self._home) if is_here else None
            except ModelError:  # the files have their sizes, and not their content
                yield manifest, "damaged", None

    def _presence(self, model_id: str) -> Presence:
        manifest = self._fetched.get(model_id)
        if manifest is not None and self._library.is_whole(manifest):
            return "installed"
        if model_id in self._begun:
            return "partly"
        return "available" if manifest is None else "damaged"
