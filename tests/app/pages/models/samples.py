"""Models as the helper lists them, and states of the window."""

from dataclasses import replace

from app.pages.models.store import ModelListing
from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from app.state.model_choices import choices_of
from core.api.models import Backup, Device, ExportSizes, FitSeen, ListedModel, ModelsListed, Verdict
from core.api.state import NodeState
from core.settings import Settings, WindowSettings

MB, GB = 1_000_000, 1_000_000_000
SIZES = ExportSizes(gguf=270 * MB, gguf_q8_0=143 * MB, peft=20 * MB, merged=271 * MB)
BACKUP = Backup(name="smol@20260730-161500", at=1_785_421_800.0, rounds=40, size=19 * MB)


def seen(verdict: Verdict, instead: str = "", device: Device = "cpu") -> FitSeen:
    need = {"fits": 1 * GB, "tight": 2 * GB, "too_large": 9_300 * MB}[verdict]
    return FitSeen(verdict=verdict, need=need, have=2_400 * MB, device=device, instead=instead)


SPARK = ListedModel(
    id="spark",
    title="Spark",
    sentence="The smallest one.",
    presence="ships",
    parameters=1_500_000,
    fit=seen("fits"),
    licence="Apache-2.0",
    exports=ExportSizes(gguf=3 * MB, gguf_q8_0=2 * MB, peft=500_000, merged=4 * MB),
)
SMOL = ListedModel(
    id="smol",
    title="Smol",
    sentence="It speaks.",
    presence="available",
    repo="someone/Smol",
    parameters=135 * MB,
    download=271 * MB,
    fit=seen("fits"),
    licence="Apache-2.0",
)
TIGHT = ListedModel(
    id="tight",
    title="Tight",
    sentence="It nearly fits.",
    presence="available",
    repo="someone/Tight",
    parameters=500 * MB,
    download=995 * MB,
    fit=seen("tight"),
)
LARGE = ListedModel(
    id="large",
    title="Large",
    sentence="For a better computer.",
    presence="available",
    repo="someone/Large",
    parameters=4 * GB,
    download=8_057 * MB,
    fit=seen("too_large", "smol"),
    gated=True,
    licence="Large License",
    terms="Its owner asks you to accept it.",
)
LISTED = ModelsListed(models=(SPARK, SMOL, TIGHT, LARGE), disk_free=50 * GB)


def listing(*models: ListedModel, disk_free: int = 50 * GB) -> ModelListing:
    return ModelListing(models=models or LISTED.models, is_listed=True, disk_free=disk_free)


def state(chosen: str = "spark", running: str = "", anyway: str = "") -> AppState:
    made = AppState(
        choices=choices_of(LISTED),
        chosen=chosen,
        settings=Settings(window=WindowSettings(anyway=anyway)),
    )
    if not running:
        return made
    return replace(
        made, link=EngineStatus("up"), node=NodeState(activity="practising", model=running)
    )
