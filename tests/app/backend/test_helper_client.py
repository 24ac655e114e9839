"""The client against a real process: answers, progress, leash, and a helper that dies."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.backend.helper_client import CLOSE_S, IDLE_S, HelperClient
from app.backend.output_log import OutputLog
from app.main import HELPER_LOG
from core.api.models import ModelProgress
from core.api.requests import Cancelled, Done, Refused, Reply
from core.paths import Home
from tests.app.backend.call_ends import Ends
from tests.fake_helper import PUT_AWAY_FILE, STARTS_FILE, Act
from tests.hand_alarm import HandAlarm


@pytest.fixture
def heard(helper: HelperClient) -> list[Reply]:
    answers: list[Reply] = []
    helper.answered.connect(answers.append)
    return answers


def lives(home: Home) -> int:
    return len((home.root / STARTS_FILE).read_text(encoding="utf-8").splitlines())


def test_nothing_runs_before_something_is_asked(helper: HelperClient, home: Home) -> None:
    """A window whose pages ask for nothing has no helper."""
    assert not helper.is_running
    assert not (home.root / STARTS_FILE).exists()


def test_each_call_is_told_of_its_own_replies(
    helper: HelperClient, home: Home, qtbot: QtBot
) -> None:
    """One process answers all, in words where it refuses."""
    greeted, refused = Ends(helper.call(Act(deed="greet"))), Ends(helper.call(Act(deed="refuse")))
    again = Ends(helper.call(Act(deed="greet")))
    qtbot.waitUntil(lambda: bool(greeted.heard and refused.heard and again.heard))
    for call in (greeted, again):
        assert call.heard == [Done(id=call.number, words="hello")]
    words = "There is no such model. Choose another one."
    assert refused.heard == [Refused(id=refused.number, words=words, kind="ModelError")]
    assert lives(home) == 1


def test_a_cancelled_request_is_told_of_until_its_last_word(
    helper: HelperClient, qtbot: QtBot
) -> None:
    """A report is no end; to cancel it once more changes nothing."""
    call = helper.call(Act(deed="work"))
    told = Ends(call).heard
    qtbot.waitUntil(lambda: bool(told))
    assert isinstance(told[0], ModelProgress)
    call.cancel()
    qtbot.waitUntil(lambda: len(told) == 2)
    call.cancel()
    greeted = Ends(helper.call(Act(deed="greet"))).heard
    qtbot.waitUntil(lambda: bool(greeted))
    assert told[1:] == [Cancelled(id=call.number)]


def test_what_a_dying_helper_left_open_is_refused_in_words(
    helper: HelperClient, home: Home, qtbot: QtBot
) -> None:
    """Nobody waits for ever, and the next request starts a new process."""
    working = Ends(helper.call(Act(deed="work"))).heard
    qtbot.waitUntil(lambda: bool(working))
    with qtbot.waitSignal(helper.ended):
        dying = Ends(helper.call(Act(deed="die"))).heard
    assert not helper.is_running
    qtbot.waitUntil(lambda: len(working) == 2 and len(dying) == 1)
    for last in (working[1], dying[0]):
        assert isinstance(last, Refused)
        assert "Try again." in last.words
    greeted = Ends(helper.call(Act(deed="greet"))).heard
    qtbot.waitUntil(lambda: bool(greeted))
    assert lives(home) == 2


def test_garbage_is_logged_and_passed_over(
    helper: HelperClient, heard: list[Reply], home: Home, qtbot: QtBot
) -> None:
    """Lines that are no answers change nothing for those that are."""
    helper.call(Act(deed="garbage"))
    qtbot.waitUntil(lambda: bool(heard))
    assert isinstance(heard[0], Done)
    log = (home.logs / HELPER_LOG).read_text(encoding="utf-8")
    assert log.count("Ignoring a line that is no answer") == 3


def test_an_answer_that_cannot_be_read_is_a_refusal(helper: HelperClient, qtbot: QtBot) -> None:
    """Nobody waits for ever for another one."""
    call = Ends(helper.call(Act(deed="mangle")))
    qtbot.waitUntil(lambda: bool(call.heard))
    (refused,) = call.heard
    assert isinstance(refused, Refused)
    assert "makes no sense" in refused.words


def test_letting_go_of_the_leash_ends_requests(
    helper: HelperClient, heard: list[Reply], home: Home, helper_alarm: HandAlarm, qtbot: QtBot
) -> None:
    """Each puts away what it holds, and the client tells when the process is gone."""
    helper.call(Act(deed="work"))
    qtbot.waitUntil(lambda: bool(heard))
    with qtbot.waitSignal(helper.ended):
        helper.close()
        assert helper_alarm.seconds == CLOSE_S
    assert (home.root / PUT_AWAY_FILE).exists()
    assert isinstance(heard[-1], Cancelled)
    assert helper_alarm.seconds is None


def test_a_helper_that_does_not_let_go_is_killed(
    helper: HelperClient, heard: list[Reply], helper_alarm: HandAlarm, qtbot: QtBot
) -> None:
    """A hung request cannot keep the window from closing."""
    helper.call(Act(deed="hang"))
    qtbot.waitUntil(lambda: bool(heard))
    with qtbot.waitSignal(helper.ended):
        helper.close()
        helper_alarm.ring()
    assert not helper.is_running


def test_what_is_asked_while_it_closes_is_refused(
    helper: HelperClient, heard: list[Reply], qtbot: QtBot
) -> None:
    """It is too late for it, and the page hears so."""
    helper.call(Act(deed="work"))
    qtbot.waitUntil(lambda: bool(heard))
    with qtbot.waitSignal(helper.ended):
        helper.close()
        late = Ends(helper.call(Act(deed="greet"))).heard
    qtbot.waitUntil(lambda: bool(late))
    assert isinstance(late[0], Refused)


def test_closing_is_the_end(
    helper: HelperClient, heard: list[Reply], home: Home, helper_alarm: HandAlarm, qtbot: QtBot
) -> None:
    """A page that asks because its request broke off is refused, and starts no further process."""
    hanging = helper.call(Act(deed="hang"))
    qtbot.waitUntil(lambda: bool(heard))
    late: list[Ends] = []
    hanging.refused.connect(lambda: late.append(Ends(helper.call(Act(deed="greet")))))
    with qtbot.waitSignal(helper.ended):
        helper.close()
        helper_alarm.ring()
    qtbot.waitUntil(lambda: bool(late and late[0].heard))
    assert isinstance(late[0].heard[0], Refused)
    assert (helper.is_running, lives(home)) == (False, 1)


def test_closing_without_a_process_does_nothing(
    helper: HelperClient, helper_alarm: HandAlarm
) -> None:
    """No leash, no alarm."""
    helper.close()
    assert helper_alarm.seconds is None


def test_a_helper_without_work_is_let_go(
    helper: HelperClient, heard: list[Reply], home: Home, helper_alarm: HandAlarm, qtbot: QtBot
) -> None:
    """What it holds in memory is given back after a while; the next request starts a new one."""
    helper.call(Act(deed="greet"))
    qtbot.waitUntil(lambda: bool(heard))
    assert helper_alarm.seconds == IDLE_S
    with qtbot.waitSignal(helper.ended):
        helper_alarm.ring()
    helper.call(Act(deed="greet"))
    qtbot.waitUntil(lambda: len(heard) == 2)
    assert lives(home) == 2


def test_whoever_comes_while_an_idle_helper_ends_is_served_by_the_next(
    helper: HelperClient, heard: list[Reply], home: Home, helper_alarm: HandAlarm, qtbot: QtBot
) -> None:
    """Nobody can know that it is just being put away."""
    helper.call(Act(deed="greet"))
    qtbot.waitUntil(lambda: bool(heard))
    helper_alarm.ring()
    helper.call(Act(deed="greet"))
    qtbot.waitUntil(lambda: len(heard) == 2)
    assert all(isinstance(answer, Done) for answer in heard)
    assert lives(home) == 2


def test_a_helper_at_work_is_not_let_go(
    helper: HelperClient, heard: list[Reply], helper_alarm: HandAlarm, qtbot: QtBot
) -> None:
    """However long it takes, and however many other requests came and went."""
    helper.call(Act(deed="work"))
    helper.call(Act(deed="greet"))
    qtbot.waitUntil(lambda: any(isinstance(answer, Done) for answer in heard))
    assert helper_alarm.seconds is None


def test_a_helper_that_is_missing_is_said_in_words(
    home: Home, helper_alarm: HandAlarm, qtbot: QtBot, tmp_path: Path
) -> None:
    """A broken installation shows up as such and not as silence."""
    log = OutputLog(home.logs, HELPER_LOG)
    client = HelperClient((str(tmp_path / "no-such-helper"),), log, helper_alarm)
    heard = Ends(client.call(Act(deed="greet"))).heard
    qtbot.waitUntil(lambda: bool(heard))
    assert isinstance(heard[0], Refused)
    assert not client.is_running


def test_what_the_helper_prints_is_kept_for_the_log(
    helper: HelperClient, home: Home, qtbot: QtBot
) -> None:
    """In a file of its own, beside the engine's."""
    with qtbot.waitSignal(helper.ended):
        helper.call(Act(deed="die"))
    assert "made-up traceback" in (home.logs / HELPER_LOG).read_text(encoding="utf-8")
