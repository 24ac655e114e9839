"""How long a round of a model takes on this computer: as it did, or as it was measured."""

import asyncio
import importlib.metadata
import platform
import subprocess
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from core.api.models import MeasureRound, ModelDone
from core.async_children import kill_and_wait
from core.bench.round_time import RoundProbe
from core.children import NO_WINDOW, python_command
from core.errors import ModelError
from core.i18n import translatable
from core.ledger.pace import usual_seconds
from core.models.catalog.catalog import ModelSpec, load_models
from core.models.catalog.library import find_model
from core.models.memory.machine import processor_name
from core.models.threads import worthwhile_threads
from core.paths import Home
from core.rollouts.round_size import FEWEST, FEWEST_ANSWERS, FEWEST_TOKENS, LONGEST_S
from core.services.service import SendReply, ServiceContext
from core.settings import Settings
from core.storage.files import replace_file

TIMEOUT_S: Final = 300.0
"""A process that takes longer is of no use to anybody."""

PROBE_FORMAT: Final = 4
"""Raised when a round, or the way it is measured, has changed."""


class RoundTime(msgspec.Struct, frozen=True):
    """A prediction, and what it holds for."""

    situation: str  # of machine, versions and settings
    seconds: Annotated[float, Meta(ge=0)]


_Times = dict[str, RoundTime]
"""By the id of the model."""


def round_seconds(home: Home, model: str, situation: str) -> float | None:
    """Seconds of a round of ``model``: of the last ones, or as measured; None: nobody knows.

    Raises:
        HomeError: the ledger cannot be read.
    """
    usual = usual_seconds(home.ledger, model)
    if usual is not None:
        return usual
    known = _read(home).get(model)
    return known.seconds if known is not None and known.situation == situation else None


def situation_of(settings: Settings) -> str:
    """Changes with what a prediction depends on, beside the model."""
    practice, compute = settings.practice, settings.compute
    parts = (
        PROBE_FORMAT,
        platform.machine(),
        processor_name(),
        importlib.metadata.version("torch"),
        compute.device,
        compute.threads,
        practice.recipe,
        practice.local_groups,
        practice.group_size,
        FEWEST,
        FEWEST_ANSWERS,
        FEWEST_TOKENS,
        LONGEST_S,
    )
    return " ".join(map(str, parts))


async def measure_round(request: MeasureRound, context: ServiceContext, tell: SendReply) -> None:
    """Measure how long a round will take, and remember it; about a minute of work.

    Beside a node that runs it would seem to take longer; whoever asks sees to that.

    Raises:
        ModelError: there is no such model, or it cannot be measured.
    """
    spec = load_models().find(request.model) or find_model(request.model, context.home)
    settings = context.settings()
    known = RoundTime(situation_of(settings), await _measured(spec, settings))
    await asyncio.to_thread(_keep, context.home, spec.id, known)
    tell(ModelDone())


async def _measured(spec: ModelSpec, settings: Settings) -> float:
    """Seconds, by a process that is killed with this task."""
    probe = RoundProbe(
        spec,
        settings.compute.threads or worthwhile_threads(spec),
        settings.practice.local_groups,
        settings.practice.group_size,
        load_models().models[0].folder,
        settings.practice.recipe,
        settings.compute.device,
    )
    process = await asyncio.create_subprocess_exec(
        *python_command("core.bench.round_probe"),
        msgspec.json.encode(probe, enc_hook=str).decode(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        creationflags=NO_WINDOW,
    )
    try:
        async with asyncio.timeout(TIMEOUT_S):
            said, _ = await process.communicate()
        return float(said)
    except (TimeoutError, ValueError) as error:
        raise ModelError(
            translatable(
                "How long a round of {} takes could not be measured. Close other programs, then "
                "try again.",
                spec.title,
            )
        ) from error
    finally:
        await kill_and_wait(process)


def _keep(home: Home, model: str, time: RoundTime) -> None:
    replace_file(home.round_times, msgspec.json.encode(_read(home) | {model: time}))


def _read(home: Home) -> _Times:
    try:
        return msgspec.json.decode(home.round_times.read_bytes(), type=_Times)
    except (OSError, ValueError):  # none yet, or damaged: it is measured again
        return {}
