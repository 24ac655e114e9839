"""What the page *Models* knows: the list, the work under way, and what was last said; pure.

``apply_reply`` moves it on by an answer of the helper and says what to ask next.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from app.pages.models.outcomes import Kind, known_already, outcome, token_kept
from app.text.error_words import told
from core.api.models import (
    HubTokenShown,
    ListedModel,
    ListModels,
    ModelDone,
    ModelFound,
    ModelProgress,
    ModelsListed,
    RemovePart,
)
from core.api.requests import Cancelled, Refused, Reply

LIST: Final = ":list"
LOOK_UP: Final = ":look up"
ACCESS: Final = ":access"
"""What is asked for that is about no model; no id looks like these."""


@dataclass(frozen=True, slots=True)
class Job:
    """Work on a model, or something else that was asked for."""

    kind: Kind
    model: str  # id, or one of the constants above
    progress: ModelProgress | None = None
    is_ending: bool = False  # the person has asked for its end
    drops: bool = False  # delete the partial download once it has ended


@dataclass(frozen=True, slots=True)
class WorkOutcome:
    """What became of the last piece of work on a model."""

    words: str
    is_trouble: bool = False
    path: str = ""  # of something that was written


@dataclass(frozen=True, slots=True)
class ModelListing:
    """All that is known."""

    models: tuple[ListedModel, ...] = ()
    is_listed: bool = False
    disk_free: int = 0  # bytes
    found: tuple[ListedModel, ...] = ()  # looked up, not yet fetched; the newest first
    jobs: Mapping[int, Job] = field(default_factory=dict)  # by the numbers of their requests
    said: Mapping[str, WorkOutcome] = field(default_factory=dict)  # by what a job was about
    has_token: bool | None = None  # None: not known yet
    is_changing: bool = False  # what practises is finishing its round, for the chosen model

    @property
    def all(self) -> tuple[ListedModel, ...]:
        """Every model of which a card is shown."""
        return (*self.models, *self.found)

    def model(self, model_id: str) -> ListedModel | None:
        """The model of that id."""
        return next((model for model in self.all if model.id == model_id), None)

    def job_on(self, model: str) -> tuple[int, Job] | None:
        """What is being done with a model, and the number of its request."""
        return next((found for found in self.jobs.items() if found[1].model == model), None)


def begin(listing: ModelListing, number: int, job: Job) -> ModelListing:
    """Note that ``job`` was asked for; what was said before of its subject is forgotten."""
    return dismiss(replace(listing, jobs={**listing.jobs, number: job}), job.model)


def end(listing: ModelListing, number: int, *, drops: bool = False) -> ModelListing:
    """Note that the person wants an end of a job."""
    job = replace(listing.jobs[number], is_ending=True, drops=drops)
    return replace(listing, jobs={**listing.jobs, number: job})


def dismiss(listing: ModelListing, model: str) -> ModelListing:
    """Forget what was said of ``model``."""
    said = {name: words for name, words in listing.said.items() if name != model}
    return replace(listing, said=said)


def apply_reply(
    listing: ModelListing, answer: Reply
) -> tuple[ModelListing, ListModels | RemovePart | None]:
    """Move on by ``answer``; with what has to be asked next."""
    match answer:
        case ModelsListed():
            return _list(_without(listing, answer.id), answer), None
        case ModelFound():
            return _add(_without(listing, answer.id), answer.model), None
        case HubTokenShown():
            return _take_token(listing, answer), None
        case ModelProgress() if answer.id in listing.jobs:
            job = replace(listing.jobs[answer.id], progress=answer)
            return replace(listing, jobs={**listing.jobs, answer.id: job}), None
        case ModelDone() | Refused() | Cancelled() if answer.id in listing.jobs:
            return _finish(listing, answer)
        case _:
            return listing, None


def _list(listing: ModelListing, answer: ModelsListed) -> ModelListing:
    known = {model.id for model in answer.models}
    return replace(
        listing,
        models=answer.models,
        is_listed=True,
        disk_free=answer.disk_free,
        found=tuple(model for model in listing.found if model.id not in known),
    )


def _add(listing: ModelListing, model: ListedModel) -> ModelListing:
    if any(known.id == model.id for known in listing.models):
        return replace(listing, said={**listing.said, LOOK_UP: WorkOutcome(known_already())})
    others = (known for known in listing.found if known.id != model.id)
    return replace(listing, found=(model, *others))


def _take_token(listing: ModelListing, answer: HubTokenShown) -> ModelListing:
    """Whether a token is kept; said to whoever typed one in just now."""
    job = listing.jobs.get(answer.id)
    left = replace(_without(listing, answer.id), has_token=answer.is_kept)
    if job is None or job.kind != "token" or not answer.is_kept:
        return left
    return replace(left, said={**left.said, ACCESS: WorkOutcome(token_kept())})


def _finish(
    listing: ModelListing, answer: ModelDone | Refused | Cancelled
) -> tuple[ModelListing, ListModels | RemovePart | None]:
    job = listing.jobs[answer.id]
    said = _said(listing, job, answer)
    left = _without(listing, answer.id)
    if said is not None:
        left = replace(left, said={**left.said, job.model: said})
    if job.drops and not isinstance(answer, ModelDone):
        return left, RemovePart(model=job.model)
    return left, None if job.kind in ("ask", "token") else ListModels()


def _said(
    listing: ModelListing, job: Job, answer: ModelDone | Refused | Cancelled
) -> WorkOutcome | None:
    match answer:
        case ModelDone():
            words = outcome(job.kind, listing.model(job.model), answer)
            return WorkOutcome(words, path=answer.path) if words else None
        case Refused():
            return WorkOutcome(told(answer), is_trouble=True)
        case Cancelled():
            return None


def _without(listing: ModelListing, number: int) -> ModelListing:
    return replace(listing, jobs={n: job for n, job in listing.jobs.items() if n != number})
