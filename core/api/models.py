"""Requests and replies about models.

Long work reports ``ModelProgress`` and ends with ``ModelDone``. Cancelling ``FetchModel`` keeps
what came in: that is a pause, and asking for it again goes on.
"""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from core.api.requests import FilePath, Piece, Reply, Request

ModelName = Annotated[str, Meta(min_length=1, max_length=200)]
"""An id, or ``owner/name`` on Hugging Face."""

Presence = Literal["ships", "installed", "available", "partly", "damaged"]
"""Partly: a download was begun. Damaged: it was fetched, and files of it are missing."""

Verdict = Literal["fits", "tight", "too_large"]
Device = Literal["cpu", "cuda", "mps"]
Form = Literal["gguf", "peft", "merged"]
Quant = Literal["f16", "q8_0"]
Stage = Literal["downloading", "waiting", "verifying", "writing"]
"""Waiting: the line broke, and another try comes."""

_Words = Annotated[str, Meta(max_length=2_000)]
_Bytes = Annotated[int, Meta(ge=0)]


class FitSeen(Piece, frozen=True):
    """Whether a model can be trained here, as estimated without loading it."""

    verdict: Verdict
    need: _Bytes  # at the peak of training
    have: _Bytes  # free now, on ``device``
    device: Device
    instead: str = ""  # of one that is too large: id of the next smaller one that is not


class ExportSizes(Piece, frozen=True):
    """About how many bytes each form of taking a model away takes."""

    gguf: _Bytes
    gguf_q8_0: _Bytes
    peft: _Bytes
    merged: _Bytes


class Backup(Piece, frozen=True):
    """A backup: what a model had learnt when it was put back to its base."""

    name: ModelName
    at: float  # unix seconds
    rounds: int
    size: _Bytes


class ListedModel(Piece, frozen=True):
    """A model of the catalogue, or one that was fetched by its name."""

    id: ModelName
    title: _Words
    sentence: _Words
    presence: Presence
    repo: str = ""  # on Hugging Face; empty: it only ships with Waggle
    parameters: _Bytes = 0  # 0: not known
    download: _Bytes = 0  # of the whole model
    came_in: _Bytes = 0  # of a download that was begun
    on_disk: _Bytes = 0  # of the model's files and of what was made from them
    learnt: _Bytes = 0  # of checkpoints and backups
    rounds: int = 0  # that its progress here comes from
    fit: FitSeen | None = None  # None: not known
    gated: bool = False  # only for those who accepted its licence, and with a token
    licence: _Words = ""
    terms: _Words = ""
    exports: ExportSizes | None = None  # None: it is not here
    backups: tuple[Backup, ...] = ()  # the newest first
    round_s: Annotated[float, Meta(ge=0)] | None = None  # that a round takes here; None: not known

    @property
    def is_here(self) -> bool:
        """It can be trained and taken away."""
        return self.presence in ("ships", "installed")


class ListModels(Request, frozen=True, tag="list_models"):
    """All models that can be trained; answered by ``ModelsListed``."""


class ModelsListed(Reply, frozen=True, tag="models_listed"):
    """The catalogue in its order, then others that were fetched."""

    models: Annotated[tuple[ListedModel, ...], Meta(max_length=500)]
    disk_free: _Bytes  # where models are kept


class LookUpModel(Request, frozen=True, tag="look_up_model"):
    """Look up what would be fetched, and whether it fits; answered by ``ModelFound``."""

    name: ModelName


class ModelFound(Reply, frozen=True, tag="model_found"):
    """A model that could be fetched, or is here already."""

    model: ListedModel


class FetchModel(Request, frozen=True, tag="fetch_model"):
    """Fetch a model, or the rest of it."""

    model: ModelName
    anyway: bool = False  # even if it is too large to be trained here


class RemovePart(Request, frozen=True, tag="remove_part"):
    """Throw away what came in of a download that was not finished."""

    model: ModelName


class VerifyModel(Request, frozen=True, tag="verify_model"):
    """Compare every file with what its hub announced; refused where one differs."""

    model: ModelName


class MeasureRound(Request, frozen=True, tag="measure_round"):
    """Measure how long a round of a model will take here, be it here or not."""

    model: ModelName


class RemoveModel(Request, frozen=True, tag="remove_model"):
    """Delete a fetched model; what it learnt is kept. Refused while a node runs."""

    model: ModelName


class ExportModel(Request, frozen=True, tag="export_model"):
    """Write the model as it was last saved to ``path``; a node may be running."""

    model: ModelName
    form: Form
    path: FilePath  # a file for gguf, a folder for the others
    quant: Quant = "f16"  # of gguf
    replace: bool = False  # an earlier export


class ResetModel(Request, frozen=True, tag="reset_model"):
    """Start over from the base; what was learnt becomes a backup. Refused while a node runs."""

    model: ModelName


class RestoreModel(Request, frozen=True, tag="restore_model"):
    """Go back to a backup; what was learnt since becomes another one. Refused while a node runs."""

    backup: ModelName


class RemoveBackup(Request, frozen=True, tag="remove_backup"):
    """Delete one backup of a model for good; a node may be running. Its rounds stay counted."""

    model: ModelName
    backup: ModelName


class ModelProgress(Reply, frozen=True, tag="model_progress"):
    """Progress of a download, a check or an export."""

    is_last: ClassVar[bool] = False

    stage: Stage
    done: _Bytes = 0
    total: _Bytes = 0  # 0: not known yet
    per_second: _Bytes = 0  # bytes, over the last seconds


class ModelDone(Reply, frozen=True, tag="model_done"):
    """The end of a request about a model."""

    size: _Bytes = 0  # that was fetched, checked, written or set free
    path: str = ""  # of an export


class ShowHubToken(Request, frozen=True, tag="show_hub_token"):
    """Whether there is an access token for Hugging Face; answered by ``HubTokenShown``."""


class SetHubToken(Request, frozen=True, tag="set_hub_token"):
    """Keep an access token in this computer's keyring."""

    token: Annotated[str, Meta(min_length=1, max_length=500)]


class ForgetHubToken(Request, frozen=True, tag="forget_hub_token"):
    """Take the access token out of the keyring."""


class HubTokenShown(Reply, frozen=True, tag="hub_token_shown"):
    """Whether an access token is kept; never the token itself."""

    is_kept: bool
