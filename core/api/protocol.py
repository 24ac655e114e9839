"""All requests and all answers, and their lines on the pipe."""

import msgspec

from core.api.contribution import (
    ContributionExported,
    ContributionShown,
    ExportContribution,
    ShowContribution,
)
from core.api.history import HistoryShown, ShowHistory
from core.api.maintenance import (
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
from core.api.models import (
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
from core.api.pipe import decode
from core.api.practice import (
    ExamProgress,
    ExamTaken,
    ModelTried,
    PracticeShown,
    ShowPractice,
    TakeExam,
    Trying,
    TryModel,
)
from core.api.programs import ListPrograms, ProgramsListed
from core.api.requests import Cancel, Cancelled, Done, Refused
from core.api.swarm import (
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
from core.api.updates import GetUpdate, LookForUpdate, ShowUpdates, UpdateProgress, UpdatesShown

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
    """Read one line that the helper wrote.

    Raises:
        WireError: the line is too long or is no answer.
    """
    return decode(_answers, line)
