"""All requests and all answers, and their lines on the pipe."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import msgspec

from core.api import (
    contribution,
    decks,
    devices,
    maintenance,
    models,
    practice,
    programs,
    requests,
    skills,
    swarm,
    updates,
)
from core.api.pipe import decode
from core.errors import WireError

AnyRequest = (
    contribution.ExportContribution
    | contribution.ShowContribution
    | decks.AdoptDecks
    | decks.ExportDeck
    | decks.FetchDecks
    | decks.KeepDeck
    | decks.LookAtDeck
    | decks.PreviewDeck
    | decks.RemoveDeck
    | decks.ShowDecks
    | decks.TryDeck
    | devices.ListCards
    | maintenance.BackUpIdentity
    | maintenance.LookAround
    | maintenance.MakeSupportFile
    | maintenance.MeasureFolders
    | maintenance.RemoveEverything
    | maintenance.RestoreIdentity
    | maintenance.SetAutostart
    | maintenance.ShowAutostart
    | models.ExportModel
    | models.FetchModel
    | models.ForgetHubToken
    | models.ListModels
    | models.MeasureRound
    | models.LookUpModel
    | models.RemoveBackup
    | models.RemoveModel
    | models.RemovePart
    | models.ResetModel
    | models.RestoreModel
    | models.SetHubToken
    | models.ShowHubToken
    | models.VerifyModel
    | practice.ShowHistory
    | practice.ShowPractice
    | practice.TakeExam
    | practice.TryModel
    | programs.ListPrograms
    | requests.Cancel
    | skills.ShowSkills
    | swarm.CheckHub
    | swarm.HostHub
    | swarm.MakeInvite
    | swarm.ShowInvite
    | swarm.ShowSwarm
    | updates.GetUpdate
    | updates.LookForUpdate
    | updates.ShowUpdates
)
AnyAnswer = (
    contribution.ContributionExported
    | contribution.ContributionShown
    | decks.DeckKept
    | decks.DeckOffered
    | decks.DeckOpened
    | decks.DeckPreviewed
    | decks.DeckProgress
    | decks.DeckTried
    | decks.DecksShown
    | devices.CardsListed
    | maintenance.AutostartShown
    | maintenance.FoldersMeasured
    | maintenance.LookedAround
    | models.HubTokenShown
    | models.ModelDone
    | models.ModelFound
    | models.ModelProgress
    | models.ModelsListed
    | practice.ExamProgress
    | practice.ExamTaken
    | practice.HistoryShown
    | practice.ModelTried
    | practice.PracticeShown
    | practice.Trying
    | programs.ProgramsListed
    | requests.Cancelled
    | requests.Done
    | requests.Refused
    | skills.SkillsShown
    | swarm.HubChecked
    | swarm.HubOpen
    | swarm.InviteMade
    | swarm.InviteShown
    | swarm.LeavingDecks
    | swarm.SwarmShown
    | updates.UpdateProgress
    | updates.UpdatesShown
)

decode_request: Callable[[bytes], AnyRequest] = partial(decode, msgspec.json.Decoder(AnyRequest))
"""Reads one line that the window wrote; raises WireError where it is no request."""

decode_answer: Callable[[bytes], AnyAnswer] = partial(decode, msgspec.json.Decoder(AnyAnswer))
"""Reads one line that the helper wrote; raises WireError where it is no answer."""


def number_in(line: bytes) -> int:
    """The number in a line that cannot be read otherwise; 0, which no request has: there is none.

    So whoever waits for an answer hears that none comes.
    """
    with suppress(WireError):
        return decode(_numbers, line).id
    return 0


class _Numbered(msgspec.Struct):
    """What requests and replies have in common; all other fields are passed over."""

    id: int = 0


_numbers = msgspec.json.Decoder(_Numbered)
