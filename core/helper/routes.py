"""Which service answers which request; each is loaded when it is first asked for."""

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
from core.helper.lazy import LazyService
from core.services.service import Service

ROUTES: Mapping[type[Request], Service[Any]] = {
    BackUpIdentity: LazyService("maintenance", "back_up_identity"),
    CheckHub: LazyService("invites", "check_hub"),
    ExportContribution: LazyService("contribution", "export_contribution"),
    ExportModel: LazyService("exports", "export_model"),
    FetchModel: LazyService("models", "fetch_model"),
    ForgetHubToken: LazyService("hub_token", "forget_hub_token"),
    GetUpdate: LazyService("updates", "get_update"),
    HostHub: LazyService("hosting", "host_hub"),
    ListModels: LazyService("model_list", "list_models"),
    ListPrograms: LazyService("programs", "list_programs"),
    LookAround: LazyService("maintenance", "look_around"),
    LookForUpdate: LazyService("updates", "look_for_update"),
    LookUpModel: LazyService("model_list", "look_up_model"),
    MakeInvite: LazyService("invites", "make_invite"),
    MakeSupportFile: LazyService("maintenance", "make_support_file"),
    MeasureFolders: LazyService("maintenance", "measure_folders"),
    RemoveBackup: LazyService("backups", "remove_backup"),
    RemoveEverything: LazyService("maintenance", "remove_everything"),
    RemoveModel: LazyService("models", "remove_model"),
    RemovePart: LazyService("models", "remove_part"),
    ResetModel: LazyService("backups", "reset_model"),
    RestoreIdentity: LazyService("maintenance", "restore_identity"),
    RestoreModel: LazyService("backups", "restore_model"),
    SetAutostart: LazyService("maintenance", "set_autostart"),
    SetHubToken: LazyService("hub_token", "set_hub_token"),
    ShowAutostart: LazyService("maintenance", "show_autostart"),
    ShowContribution: LazyService("contribution", "show_contribution"),
    ShowHistory: LazyService("history", "show_history"),
    ShowHubToken: LazyService("hub_token", "show_hub_token"),
    ShowInvite: LazyService("invites", "show_invite"),
    ShowPractice: LazyService("try_out", "show_practice"),
    ShowSwarm: LazyService("invites", "show_swarm"),
    ShowUpdates: LazyService("updates", "show_updates"),
    TakeExam: LazyService("exam", "take_exam_on_request"),
    TryModel: LazyService("try_out", "try_model"),
    VerifyModel: LazyService("models", "verify_model"),
}
