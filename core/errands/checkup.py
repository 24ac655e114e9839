"""Is everything in order on this computer, in words; nothing that is looked at is changed."""

import asyncio
import platform
import shutil
import sys

import psutil

from core.bootstrap import physical_cores
from core.engine.desk.care import Finding
from core.errands.findings import look_at
from core.errands.network_looks import look_at_network
from core.errands.sense_looks import look_at_senses
from core.errors import WaggleError
from core.models.catalog import load_models
from core.models.library import Library
from core.models.machine import free_memory
from core.paths import Home
from core.sampling.calibration import Notebook
from core.sampling.llama_library import llama_available
from core.sensors.senses import Senses
from core.settings import Settings, load_settings
from core.tasks.catalog import load_catalog
from core.tasks.reasoning_tasks import check_ruleset
from core.tasks.scorer import IsolatedScorer

LOW_DISK = 1 << 30
LOW_MEMORY = 1 << 30


def look_at_everything(home: Home) -> list[Finding]:
    """All that can be said in a few seconds; blocking, and outside any event loop."""
    senses = Senses(home.root)  # what is busy shows from here on
    looks = (_computer, _memory, _disk, _settings, _models, _sampling, _judge)
    return [look(home) for look in looks] + _network(home) + look_at_senses(senses)


def _computer(_home: Home) -> Finding:
    words = (
        f"{platform.system()} {platform.release()} on {platform.machine()}, "
        f"{physical_cores()} cores, Python {sys.version.split()[0]}"
    )
    return Finding("computer", ok=True, words=words)


def _memory(_home: Home) -> Finding:
    free = free_memory()
    words = f"{_gib(free)} of {_gib(psutil.virtual_memory().total)} are free"
    return Finding("memory", ok=free > LOW_MEMORY, words=words)


def _disk(home: Home) -> Finding:
    def look() -> str:
        home.prepare()
        free = shutil.disk_usage(home.root).free
        if free < LOW_DISK:
            raise WaggleError(f"only {_gib(free)} are free for {home.root}; free some space")
        return f"{_gib(free)} are free for {home.root}"

    return look_at("disk", look)


def _settings(home: Home) -> Finding:
    def look() -> str:
        load_settings(home.settings)
        where = "as in" if home.settings.exists() else "defaults; to change them, write"
        return f"{where} {home.settings}"

    return look_at("settings", look)


def _models(home: Home) -> Finding:
    def look() -> str:
        known = load_models().models
        fetched = {manifest.id for manifest in Library(home.models).manifests()}
        here = {spec.id for spec in known if spec.repo is None} | fetched
        rest = sum(spec.id not in here for spec in known)
        return f"{', '.join(sorted(here))} are here; {rest} more can be fetched: waggle models"

    return look_at("models", look)


def _sampling(home: Home) -> Finding:
    """What draws answers, and what was found the fastest; llama.cpp is a luxury, never missed."""
    llama = "llama.cpp too" if llama_available() else "llama.cpp is not installed"
    chosen = Notebook(home.calibration).chosen()
    found = ", ".join(f"{name} for {model}" for model, name in sorted(chosen.items()))
    words = f"PyTorch, and {llama}; fastest here: {found or 'found out at first use'}"
    return Finding("sampling", ok=True, words=words)


def _judge(_home: Home) -> Finding:
    """Start the isolated judge and ask which protections are on around it."""

    async def ask() -> str:
        async with IsolatedScorer(load_catalog()) as scorer:
            confinement = await scorer.confinement()
        active = ", ".join(confinement.active) or "none"
        missing = f". Not to be had here: {', '.join(confinement.missing)}"
        return f"answers of others are judged in a process of its own: {active}" + (
            missing if confinement.missing else ""
        )

    def look() -> str:
        check_ruleset()
        return asyncio.run(ask())

    return look_at("judge", look)


def _network(home: Home) -> list[Finding]:
    """What of it the settings name; damaged settings are told elsewhere."""
    try:
        settings = load_settings(home.settings)
    except WaggleError:
        settings = Settings()
    return look_at_network(settings.swarm, settings.network.proxy)


def _gib(size: int) -> str:
    return f"{size / (1 << 30):.1f} GiB"
