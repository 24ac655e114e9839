"""All requests and all answers, and their lines on the pipe."""

import msgspec

from core.engine.desk.base import Cancel, Cancelled, Done, Refused
from core.engine.desk.care import (
    AutostartShown,
    BackUpIdentity,
    FoldersMeasured,
    LookAround,
    LookedAround,
    MakeSupportFile,
    MeasureFolders,
    RemoveEverything,
    RestoreIdentity,
    SetAutostart,
    ShowAutostart,
)
from core.engine.desk.contribution import (
    ContributionExported,
    ContributionShown,
    ExportContribution,
    ShowContribution,
)
from core.engine.desk.history import HistoryShown, ShowHistory
from core.engine.desk.models import (
    ExportModel,
    FetchModel,
    ForgetHubToken,
    HubTokenShown,
    ListModels,
    LookUpModel,
    ModelDone,
    ModelFound,
    ModelProgress,
    ModelsListed,
    RemoveBackup,
    RemoveModel,
    RemovePart,
    ResetModel,
    RestoreModel,
    SetHubToken,
    ShowHubToken,
    VerifyModel,
)
from core.engine.desk.practice import (
    ExamProgress,
    ExamTaken,
    ModelTried,
    PracticeShown,
    ShowPractice,
    TakeExam,
    Trying,
    TryModel,
)
from core.engine.desk.programs import ListPrograms, ProgramsListed
from core.engine.desk.swarm import (
    CheckHub,
    HostHub,
    HubChecked,
    HubOpen,
    InviteMade,
    InviteShown,
    MakeInvite,
    ShowInvite,
    ShowSwarm,
    SwarmShown,
)
from core.engine.desk.updates import (
    GetUpdate,
    LookForUpdate,
    ShowUpdates,
    UpdateProgress,
    UpdatesShown,
)
from core.engine.pipe import decode

AnyRequest = (
    BackUpIdentity
    | Cancel
    | CheckHub
    | ExportContribution
    | ExportModel
    | FetchModel
    | ForgetHubToken
    | GetUpdate
    | HostHub
    | ListModels
    | ListPrograms
    | LookAround
    | LookForUpdate
    | LookUpModel
    | MakeInvite
    | MakeSupportFile
    | MeasureFolders
    | RemoveBackup
    | RemoveEverything
    | RemoveModel
    | RemovePart
    | ResetModel
    | RestoreIdentity
    | RestoreModel
    | SetAutostart
    | SetHubToken
    | ShowAutostart
    | ShowContribution
    | ShowHistory
    | ShowHubToken
    | ShowInvite
    | ShowPractice
    | ShowSwarm
    | ShowUpdates
    | TakeExam
    | TryModel
    | VerifyModel
)
AnyAnswer = (
    AutostartShown
    | Cancelled
    | ContributionExported
    | ContributionShown
    | Done
    | ExamProgress
    | ExamTaken
    | FoldersMeasured
    | HistoryShown
    | HubChecked
    | HubOpen
    | HubTokenShown
    | InviteMade
    | InviteShown
    | LookedAround
    | ModelDone
    | ModelFound
    | ModelProgress
    | ModelTried
    | ModelsListed
    | PracticeShown
    | ProgramsListed
    | Refused
    | SwarmShown
    | Trying
    | UpdateProgress
    | UpdatesShown
)

_requests: msgspec.json.Decoder[AnyRequest] = msgspec.json.Decoder(AnyRequest)
_answers: msgspec.json.Decoder[AnyAnswer] = msgspec.json.Decoder(AnyAnswer)


def decode_request(line: bytes) -> AnyRequest:
    """Read one line that the window wrote.

    Raises:
        WireError: the line is too long or is no request.
    """
    return decode(_requests, line)


def decode_answer(line: bytes) -> AnyAnswer:
    """Read one line that the desk wrote.

    Raises:
        WireError: the line is too long or is no answer.
    """
    return decode(_answers, line)
