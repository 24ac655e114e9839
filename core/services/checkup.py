"""Is everything in order on this computer, in words; nothing that is looked at is changed."""

import asyncio
import platform
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from core.api.maintenance import Finding
from core.errors import WaggleError
from core.i18n import enumerated, together, translatable
from core.ledger.schema import check_ledger
from core.models.catalog.catalog import load_models
from core.models.catalog.library import Library, find_model
from core.models.memory.cards import trained_card, usable_cards
from core.models.memory.free import free_memory, total_memory
from core.models.memory.machine import wished_device
from core.models.threads import physical_cores
from core.paths import Home
from core.sampling.calibration import CalibrationStore
from core.sampling.llama_library import llama_available
from core.sensors.senses import Senses
from core.services.autostart import is_fleeting
from core.services.findings import found, look_at
from core.services.network_checks import check_network
from core.settings import Settings, load_settings
from core.storage.room import size_in_words
from core.tasks.catalog import load_catalog
from core.tasks.deck_tasks import practised_catalog, practised_kinds
from core.tasks.reasoning_tasks import check_ruleset
from core.tasks.scorer import IsolatedScorer
from core.wire.identity import load_or_create_identity


def check_sensors(senses: Senses) -> list[Finding]:
    """A finding a sensor; none of them is needed, a rule without a sensor never pauses."""
    return [
        found(about, reading.words, ok=reading.value is not None, needed=False)
        for about, reading in senses.tell().items()
    ]


LOW_DISK = 1_000_000_000
LOW_MEMORY = 1_000_000_000


def look_at_everything(home: Home) -> list[Finding]:
    """All that can be said in a few seconds; blocking, and outside any event loop."""
    # What is busy shows from here on.
    senses = Senses(home.root, card=lambda: trained_card(wished_device(home)))
    looks = (_computer, _memory, _disk, _settings, _models, _sampling, _card, _judge)
    findings = [look(home) for look in looks] + _kept(home)
    return findings + _network(home) + check_sensors(senses)


def _computer(_home: Home) -> Finding:
    words = translatable(
        "{} {} on {}, {} cores, Python {}",
        platform.system(),
        platform.release(),
        platform.machine(),
        physical_cores(),
        sys.version.split()[0],
    )
    if sys.platform == "darwin" and is_fleeting(Path(sys.executable)):
        moved = translatable(
            "Waggle runs from its disk image or its download. Drag it into Applications and open "
            "it there, so that it can be updated and start with the computer."
        )
        return found("computer", together(words, moved), ok=False, needed=False)
    return found("computer", words)


def _memory(_home: Home) -> Finding:
    free = free_memory()
    words = translatable("{0} of {1} are free", size_in_words(free), size_in_words(total_memory()))
    return found("memory", words, ok=free > LOW_MEMORY)


def _disk(home: Home) -> Finding:
    def look() -> str:
        home.prepare()
        free = shutil.disk_usage(home.root).free
        if free < LOW_DISK:
            raise WaggleError(
                translatable(
                    "only {0} are free for {1}; free some space", size_in_words(free), home.root
                )
            )
        return translatable("{0} are free for {1}", size_in_words(free), home.root)

    return look_at("disk", look)


def _settings(home: Home) -> Finding:
    def look() -> str:
        settings = load_settings(home.settings)
        practised_catalog(home, practised_kinds(settings, home))
        if home.settings.exists():
            return translatable("as in {}", home.settings)
        return translatable("defaults; to change them, write {}", home.settings)

    return look_at("settings", look)


def _models(home: Home) -> Finding:
    def look() -> str:
        find_model(_settings_or_usual(home).window.model, home)
        known = load_models().models
        fetched = {manifest.id: manifest.repo for manifest in Library(home.models).manifests()}
        here = [spec for spec in known if spec.repo is None or spec.id in fetched]
        guests = sorted(set(fetched.values()) - {spec.repo for spec in known})
        names = enumerated([*(spec.title for spec in here), *guests])
        return translatable("{} are here; {} more can be downloaded", names, len(known) - len(here))

    return look_at("models", look)


def _sampling(home: Home) -> Finding:
    """The samplers installed, and the fastest of them; llama.cpp is a luxury, never missed."""
    chosen = CalibrationStore(home.calibration).chosen()
    listed = ", ".join(f"{model}: {name}" for model, name in sorted(chosen.items()))
    fastest = listed or translatable("found out at first use")
    if llama_available():
        return found(
            "sampling", translatable("PyTorch, and llama.cpp too; fastest here: {}", fastest)
        )
    words = translatable("PyTorch, and llama.cpp is not installed; fastest here: {}", fastest)
    return found("sampling", words)


def _card(home: Home) -> Finding:
    """Whether a graphics card can train, and whether it was ever proven that it does so rightly."""
    area, cards = "graphics card", usable_cards()
    if not cards:
        words = translatable("none that PyTorch can use; the processor trains all models")
        return found(area, words, needed=False)
    names = enumerated(list(cards.values()))
    if home.gpu_bench.exists():
        kept = home.gpu_bench.with_suffix(".md")
        words = translatable("{}; what waggle bench gpu found is in {}", names, kept)
        return found(area, words, needed=False)
    words = translatable(
        "{} was never tried; whether it counts right and how fast, tells: waggle bench gpu", names
    )
    return found(area, words, ok=False, needed=False)


def _judge(_home: Home) -> Finding:
    """Start the isolated judge and ask which protections are on around it."""

    async def ask() -> str:
        async with IsolatedScorer(load_catalog()) as scorer:
            return (await scorer.confinement()).in_words()

    def look() -> str:
        check_ruleset()
        return asyncio.run(ask())

    return look_at("judge", look)


def _kept(home: Home) -> list[Finding]:
    """Of what a node goes on from, that of which a run could make nothing."""

    def look(path: Path, read: Callable[[Path], object]) -> str:
        if path.exists():
            read(path)
        return ""

    findings = [
        look_at("identity", lambda: look(home.identity, load_or_create_identity)),
        look_at("ledger", lambda: look(home.ledger, check_ledger)),
    ]
    return [one for one in findings if not one.ok]


def _network(home: Home) -> list[Finding]:
    settings = _settings_or_usual(home)
    return check_network(settings.swarm, settings.network.proxy)


def _settings_or_usual(home: Home) -> Settings:
    """Those of the file; damaged ones are a finding already."""
    try:
        return load_settings(home.settings)
    except WaggleError:
        return Settings()
