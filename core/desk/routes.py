"""Which errand answers which request; errands import heavy libraries only when they run."""

from collections.abc import Mapping
from typing import Any

from core.engine.desk.base import Request
from core.engine.desk.care import (
    BackUpIdentity,
    LookAround,
    MakeSupportFile,
    MeasureFolders,
    RemoveEverything,
    RestoreIdentity,
    SetAutostart,
    ShowAutostart,
)
from core.engine.desk.contribution import ExportContribution, ShowContribution
from core.engine.desk.models import (
    ExportModel,
    FetchModel,
    ForgetHubToken,
    ListModels,
    LookUpModel,
    RemoveModel,
    RemovePart,
    ResetModel,
    RestoreModel,
    SetHubToken,
    ShowHubToken,
    VerifyModel,
)
from core.engine.desk.practice import ShowPractice, TakeExam, TryModel
from core.engine.desk.programs import ListPrograms
from core.engine.desk.swarm import HostHub, MakeInvite, ShowInvite, ShowSwarm
from core.errands.backups import reset_model, restore_model
from core.errands.care import (
    back_up_identity,
    look_around,
    make_support_file,
    measure_folders,
    remove_everything,
    restore_identity,
    set_autostart,
    show_autostart,
)
from core.errands.contribution import export_contribution, show_contribution
from core.errands.errand import Errand
from core.errands.exam import take_exam_on_request
from core.errands.exports import export_model
from core.errands.hosting import host_hub
from core.errands.hub_token import forget_hub_token, set_hub_token, show_hub_token
from core.errands.invites import make_invite, show_invite, show_swarm
from core.errands.model_list import list_models, look_up_model
from core.errands.models import fetch_model, remove_model, remove_part, verify_model
from core.errands.programs import list_programs
from core.errands.try_out import TryOut, show_practice

ROUTES: Mapping[type[Request], Errand[Any]] = {
    BackUpIdentity: back_up_identity,
    ExportContribution: export_contribution,
    ExportModel: export_model,
    FetchModel: fetch_model,
    ForgetHubToken: forget_hub_token,
    HostHub: host_hub,
    ListModels: list_models,
    ListPrograms: list_programs,
    LookAround: look_around,
    LookUpModel: look_up_model,
    MakeInvite: make_invite,
    MakeSupportFile: make_support_file,
    MeasureFolders: measure_folders,
    RemoveEverything: remove_everything,
    RemoveModel: remove_model,
    RemovePart: remove_part,
    ResetModel: reset_model,
    RestoreIdentity: restore_identity,
    RestoreModel: restore_model,
    SetAutostart: set_autostart,
    SetHubToken: set_hub_token,
    ShowAutostart: show_autostart,
    ShowContribution: show_contribution,
    ShowHubToken: show_hub_token,
    ShowInvite: show_invite,
    ShowPractice: show_practice,
    ShowSwarm: show_swarm,
    TakeExam: take_exam_on_request,
    TryModel: TryOut(),
    VerifyModel: verify_model,
}
