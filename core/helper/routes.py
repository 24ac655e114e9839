"""Which errand answers which request; each is loaded when it is first asked for."""

from collections.abc import Mapping
from typing import Any

from core.api.contribution import ExportContribution, ShowContribution
from core.api.history import ShowHistory
from core.api.maintenance import (
    BackUpIdentity,
    LookAround,
    MakeSupportFile,
    MeasureFolders,
    RemoveEverything,
    RestoreIdentity,
    SetAutostart,
    ShowAutostart,
)
from core.api.models import (
    ExportModel,
    FetchModel,
    ForgetHubToken,
    ListModels,
    LookUpModel,
    RemoveBackup,
    RemoveModel,
    RemovePart,
    ResetModel,
    RestoreModel,
    SetHubToken,
    ShowHubToken,
    VerifyModel,
)
from core.api.practice import ShowPractice, TakeExam, TryModel
from core.api.programs import ListPrograms
from core.api.requests import Request
from core.api.swarm import CheckHub, HostHub, MakeInvite, ShowInvite, ShowSwarm
from core.api.updates import GetUpdate, LookForUpdate, ShowUpdates
from core.helper.lazy import Late
from core.services.service import Errand

ROUTES: Mapping[type[Request], Errand[Any]] = {
    BackUpIdentity: Late("maintenance", "back_up_identity"),
    CheckHub: Late("invites", "check_hub"),
    ExportContribution: Late("contribution", "export_contribution"),
    ExportModel: Late("exports", "export_model"),
    FetchModel: Late("models", "fetch_model"),
    ForgetHubToken: Late("hub_token", "forget_hub_token"),
    GetUpdate: Late("updates", "get_update"),
    HostHub: Late("hosting", "host_hub"),
    ListModels: Late("model_list", "list_models"),
    ListPrograms: Late("programs", "list_programs"),
    LookAround: Late("maintenance", "look_around"),
    LookForUpdate: Late("updates", "look_for_update"),
    LookUpModel: Late("model_list", "look_up_model"),
    MakeInvite: Late("invites", "make_invite"),
    MakeSupportFile: Late("maintenance", "make_support_file"),
    MeasureFolders: Late("maintenance", "measure_folders"),
    RemoveBackup: Late("backups", "remove_backup"),
    RemoveEverything: Late("maintenance", "remove_everything"),
    RemoveModel: Late("models", "remove_model"),
    RemovePart: Late("models", "remove_part"),
    ResetModel: Late("backups", "reset_model"),
    RestoreIdentity: Late("maintenance", "restore_identity"),
    RestoreModel: Late("backups", "restore_model"),
    SetAutostart: Late("maintenance", "set_autostart"),
    SetHubToken: Late("hub_token", "set_hub_token"),
    ShowAutostart: Late("maintenance", "show_autostart"),
    ShowContribution: Late("contribution", "show_contribution"),
    ShowHistory: Late("history", "show_history"),
    ShowHubToken: Late("hub_token", "show_hub_token"),
    ShowInvite: Late("invites", "show_invite"),
    ShowPractice: Late("try_out", "show_practice"),
    ShowSwarm: Late("invites", "show_swarm"),
    ShowUpdates: Late("updates", "show_updates"),
    TakeExam: Late("exam", "take_exam_on_request"),
    TryModel: Late("try_out", "try_model"),
    VerifyModel: Late("models", "verify_model"),
}
