"""What the page knows, moved on by answers."""

from msgspec.structs import replace

from app.pages.models.store import (
    ACCESS,
    LOOK_UP,
    Job,
    ModelListing,
    apply_reply,
    begin,
    dismiss,
    end,
)
from core.api.models import (
    HubTokenShown,
    ListModels,
    ModelDone,
    ModelFound,
    ModelProgress,
    RemovePart,
)
from core.api.requests import Cancelled, Done, Refused
from tests.app.pages.models.samples import LARGE, LISTED, SMOL, SPARK, listing

PROGRESS = ModelProgress(id=7, stage="downloading", done=1)


def fetching() -> ModelListing:
    return begin(listing(), 7, Job("fetch", "smol"))


def test_the_list_is_taken_as_it_comes() -> None:
    """Whoever asked for it."""
    after, then = apply_reply(ModelListing(), replace(LISTED, id=99))
    assert (after.models, after.is_listed, after.disk_free) == (
        LISTED.models,
        True,
        LISTED.disk_free,
    )
    assert then is None


def test_progress_is_that_of_the_request_it_answers() -> None:
    """Others may be fetching at the same time; strangers' answers change nothing."""
    after, _ = apply_reply(fetching(), PROGRESS)
    assert after.jobs[7].progress == PROGRESS
    before = fetching()
    assert apply_reply(before, replace(PROGRESS, id=8)) == (before, None)
    assert apply_reply(before, Refused(id=8, words="no")) == (before, None)
    assert apply_reply(before, Done(id=7)) == (before, None)


def test_what_is_done_is_said_and_listed_anew() -> None:
    """The job is gone from the listing."""
    after, then = apply_reply(fetching(), ModelDone(id=7, size=5))
    assert after.jobs == {}
    assert "complete and checked" in after.said["smol"].words
    assert then == ListModels()


def test_a_refusal_is_said_as_it_came() -> None:
    """And the list is asked for, since something may have changed all the same."""
    after, then = apply_reply(fetching(), Refused(id=7, words="The disk is full."))
    assert (after.said["smol"].words, after.said["smol"].is_trouble) == ("The disk is full.", True)
    assert then == ListModels()
    assert begin(after, 8, Job("fetch", "smol")).said == {}


def test_a_pause_keeps_what_came_in_and_a_cancel_does_not() -> None:
    """Only the latter asks to throw it away; neither if it was done before."""
    paused, cancelled = end(fetching(), 7), end(fetching(), 7, drops=True)
    assert paused.jobs[7].is_ending
    assert apply_reply(paused, Cancelled(id=7))[1] == ListModels()
    assert apply_reply(cancelled, Cancelled(id=7))[1] == RemovePart(model="smol")
    assert apply_reply(cancelled, Refused(id=7, words="no"))[1] == RemovePart(model="smol")
    assert apply_reply(cancelled, ModelDone(id=7))[1] == ListModels()


def test_what_was_found_is_kept_until_it_is_listed() -> None:
    """The newest first; one that is known already is only said to be."""
    asked = begin(listing(SPARK), 3, Job("ask", LOOK_UP))
    after, _ = apply_reply(asked, ModelFound(id=3, model=SMOL))
    after, _ = apply_reply(after, ModelFound(id=4, model=LARGE))
    after, _ = apply_reply(after, ModelFound(id=5, model=SMOL))
    assert after.found == (SMOL, LARGE)
    assert (after.jobs, after.model("smol")) == ({}, SMOL)
    after, _ = apply_reply(after, replace(LISTED, models=(SPARK, SMOL)))
    assert after.found == (LARGE,)
    known, _ = apply_reply(after, ModelFound(id=6, model=SPARK))
    assert "in the list above" in known.said[LOOK_UP].words
    assert known.found == after.found


def test_a_refused_question_is_not_asked_again_by_itself() -> None:
    """Or a helper that cannot answer would be asked without end."""
    asked = begin(listing(), 3, Job("ask", LOOK_UP))
    after, then = apply_reply(asked, Refused(id=3, words="No such model."))
    assert (after.said[LOOK_UP].words, then) == ("No such model.", None)
    assert dismiss(after, LOOK_UP).said == {}


def test_the_token_is_only_known_to_be_there() -> None:
    """Or not to be."""
    after, _ = apply_reply(listing(), HubTokenShown(id=2, is_kept=True))
    assert after.has_token
    looked, _ = apply_reply(
        begin(listing(), 2, Job("ask", ACCESS)), HubTokenShown(id=2, is_kept=True)
    )
    assert (looked.has_token, looked.said, looked.jobs) == (True, {}, {})


def test_a_token_that_was_typed_in_is_said_to_be_kept() -> None:
    """Or why not; the list is not asked for again because of it."""
    typed = begin(listing(), 2, Job("token", ACCESS))
    after, then = apply_reply(typed, HubTokenShown(id=2, is_kept=True))
    assert "is kept" in after.said[ACCESS].words
    assert then is None
    refused, then = apply_reply(typed, Refused(id=2, words="No keyring."))
    assert (refused.said[ACCESS].is_trouble, then) == (True, None)
