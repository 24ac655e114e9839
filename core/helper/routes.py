"""Which service answers which request.

The modules of services are quick to import: whatever is heavy, each imports where it is used.
"""

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
from core.services import (
    backups,
    contribution,
    exam,
    exports,
    history,
    hosting,
    hub_token,
    invites,
    maintenance,
    model_list,
    models,
    programs,
    try_out,
    updates,
)
from core.services.service import Service

ROUTES: Mapping[type[Request], Service[Any]] = {
    BackUpIdentity: maintenance.back_up_identity,
    CheckHub: invites.check_hub,
    ExportContribution: contribution.export_contribution,
    ExportModel: exports.export_model,
    FetchModel: models.fetch_model,
    ForgetHubToken: hub_token.forget_hub_token,
    GetUpdate: updates.get_update,
    HostHub: hosting.host_hub,
    ListModels: model_list.list_models,
    ListPrograms: programs.list_programs,
    LookAround: maintenance.look_around,
    LookForUpdate: updates.look_for_update,
    LookUpModel: model_list.look_up_model,
    MakeInvite: invites.make_invite,
    MakeSupportFile: maintenance.make_support_file,
    MeasureFolders: maintenance.measure_folders,
    RemoveBackup: backups.remove_backup,
    RemoveEverything: maintenance.remove_everything,
    RemoveModel: models.remove_model,
    RemovePart: models.remove_part,
    ResetModel: backups.reset_model,
    RestoreIdentity: maintenance.restore_identity,
    RestoreModel: backups.restore_model,
    SetAutostart: maintenance.set_autostart,
    SetHubToken: hub_token.set_hub_token,
    ShowAutostart: maintenance.show_autostart,
    ShowContribution: contribution.show_contribution,
    ShowHistory: history.show_history,
    ShowHubToken: hub_token.show_hub_token,
    ShowInvite: invites.show_invite,
    ShowPractice: try_out.show_practice,
    ShowSwarm: invites.show_swarm,
    ShowUpdates: updates.show_updates,
    TakeExam: exam.take_exam_on_request,
    TryModel: try_out.try_model,
    VerifyModel: models.verify_model,
}
