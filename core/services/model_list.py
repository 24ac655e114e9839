"""Services that list models, and look one up by its name."""

import asyncio
import shutil
import tempfile
from pathlib import Path

from msgspec.structs import replace

from core.api.models import (
    Backup,
    FitSeen,
    ListedModel,
    ListModels,
    LookUpModel,
    ModelFound,
    ModelsListed,
)
from core.models.catalog.catalog import ModelSpec, load_models
from core.models.catalog.library import Library, copies_of
from core.paths import Home
from core.services.backups import backups_of, rounds_learnt, size_learnt
from core.services.exports import export_sizes
from core.services.model_inventory import ModelEntry, ModelJudge, ModelVerdict, trainable_models
from core.services.round_times import round_seconds, situation_of
from core.services.service import SendReply, ServiceContext


async def list_models(_request: ListModels, context: ServiceContext, tell: SendReply) -> None:
    """Answer with all models."""

    def look() -> ModelsListed:
        home, situation = context.home, situation_of(context.settings())
        models = tuple(
            replace(listed(model, home), round_s=round_seconds(home, model.id, situation))
            for model in trainable_models(home)
        )
        return ModelsListed(models=models, disk_free=shutil.disk_usage(context.home.root).free)

    tell(await asyncio.to_thread(look))


async def look_up_model(request: LookUpModel, context: ServiceContext, tell: SendReply) -> None:
    """Answer with what would be fetched; of a model that is known already, with that one.

    Raises:
        WaggleError: there is no such model, or it would be of no use.
    """
    known = load_models().find(request.name) or Library(context.home.models).find_begun(
        request.name
    )
    if known is None:
        found = await _look_up(request.name, context.home)
    else:
        models = await asyncio.to_thread(lambda: list(trainable_models(context.home)))
        found = next(model for model in models if model.id == known.id)
    tell(ModelFound(model=listed(found, context.home)))


def listed(model: ModelEntry, home: Home) -> ListedModel:
    """``model`` as the window is told of it."""
    library, copies = Library(home.models), copies_of(home, model.id)
    told = ListedModel(
        id=model.id,
        title=model.title,
        sentence="",
        presence=model.presence,
        repo=model.repo or "",
        download=model.download,
        came_in=model.came_in,
        on_disk=library.size(model.id) + sum(path.stat().st_size for path in copies),
        learnt=size_learnt(home, model.id),
        rounds=rounds_learnt(home.checkpoints / model.id),
        backups=tuple(
            Backup(name=one.name, at=one.at.timestamp(), rounds=one.rounds, size=one.size)
            for one in backups_of(home, model.id)
        ),
    )
    return told if model.judged is None else _described(told, model.judged)


def _described(told: ListedModel, judged: ModelVerdict) -> ListedModel:
    spec = judged.spec
    fit = FitSeen(
        verdict=judged.fit.verdict,
        need=judged.fit.estimate.total,
        have=judged.machine.memory,
        device=judged.machine.device,
        instead=judged.instead.id if judged.instead else "",
    )
    return replace(
        told,
        sentence=spec.sentence,
        parameters=spec.parameters,
        fit=fit,
        gated=spec.gated,
        licence=spec.licence,
        terms=spec.terms,
        exports=export_sizes(spec) if told.is_here else None,
    )


async def _look_up(name: str, home: Home) -> ModelEntry:
    from core.models.download.download import look_up, wanted
    from core.models.download.hub import Hub
    from core.models.download.hub_token import find_token
    from core.models.download.transfer import TransferOptions

    wish = wanted(name, Library(home.models))
    with tempfile.TemporaryDirectory(dir=home.cache, ignore_cleanup_errors=True) as folder:
        spec, size = await look_up(wish, TransferOptions(Hub(find_token)), Path(folder))
    return ModelEntry(
        id=wish.id,
        title=wish.title,
        repo=wish.repo,
        presence="available",
        download=size,
        came_in=0,
        judged=await asyncio.to_thread(lambda: _judge(spec, home)),
    )


def _judge(spec: ModelSpec, home: Home) -> ModelVerdict:
    return ModelJudge(load_models(), home).judge(spec)
