"""A German window says nothing in English but names."""

import re
import tomllib
from collections.abc import Iterator

import pytest
from msgspec import structs
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.pages.settings.page import SECTIONS, SettingsPage
from app.shell.shell import PAGES
from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from app.state.intents import PageName
from app.state.model_choices import load_choices
from app.style.theme import LIGHT
from app.text.error_words import explain_error
from core.api.events import Failed, SwarmChanged, failed
from core.api.maintenance import Finding, LookAround, LookedAround
from core.api.models import ListedModel, ListModels, ModelsListed
from core.api.practice import PracticeShown, PuzzleKind, ShowPractice
from core.api.requests import Reply, Request
from core.api.state import NodeState, apply
from core.api.swarm import Destination, OfferedSwarm, ShowSwarm, SwarmShown
from core.errors import DiskFullError, SettingsError
from core.i18n import Remark, remarks_of, translatable
from core.paths import RESOURCES
from core.swarm.status_text import Meeting, describe
from tests.app.languages import speaking
from tests.core.api.test_sentences import points, states
from tests.fake_actions import FakeActions
from tests.translating import fixed_texts

NAMES = re.compile(
    r"Waggle|Spark|Ember|SmolLM2 \d+M|(Qwen/)?Qwen[\d.]+[ -][\d.]+B|Llama 3.2 1B|meadow"
    r"|Apache-2.0|https?://\S+|waggle://\S+|[kMG]B\b|°C|Deutsch|Español|English|简体中文"
    r"|\bPause\b|\bPort\b|\bProxy\b"  # German has taken them over
)
LETTER = re.compile(r"[^\W\d_]{2,}")


def texts(page: QWidget) -> Iterator[str]:
    """All that can be read on ``page``, whether it is in view or not."""
    for widget in page.findChildren(QWidget):
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        elif isinstance(widget, QComboBox):
            yield from (widget.itemText(at) for at in range(widget.count()))
        elif isinstance(widget, QLineEdit):
            yield widget.placeholderText()
        yield widget.accessibleName()
        yield widget.toolTip()


def app_states() -> Iterator[AppState]:
    """What a run can come to."""
    idle = AppState(choices=load_choices(), chosen="spark")
    up = EngineStatus("up")
    yield idle
    for node in states():
        yield AppState(idle.choices, "spark", idle.settings, node, up)
    for rounds in (3, 20, 70):
        scores = points(*[0.2] * rounds, swarm=0.3)
        node = NodeState(activity="practising", round=rounds, points=scores)
        yield AppState(idle.choices, "spark", idle.settings, node, up)
    for node in (*met(), *broken()):
        yield AppState(idle.choices, "spark", idle.settings, node, up)
    problem = explain_error(SettingsError(translatable("Answers cannot be checked.")))
    yield AppState(idle.choices, "spark", idle.settings, problem=problem)


def met() -> Iterator[NodeState]:
    """What a swarm can be like."""
    one, place = ("1.2.3.4",), "1.2.3.4"
    for meeting in (
        Meeting(one, 0),
        Meeting((*one, "5"), 0),
        Meeting(one, 0, impostors=one),
        Meeting(one, 0, strangers=one),
        Meeting(one, 0, trouble=translatable("Practising alone.")),
        Meeting(one, 1),
        Meeting(one, 1, 3, clock_is_wrong=True),
        Meeting(one, 1, 3, other_release=True),
        Meeting(one, 1, 0, ahead_s=300.0),
        Meeting(one, 1, 0, ahead_s=-300.0),
        Meeting(one, 1, 0, withheld_by=place),
        Meeting(one, 1, 3),
    ):
        words = describe(meeting)
        swarm = SwarmChanged(
            reachable=meeting.answered > 0,
            peers=meeting.peers,
            words=str(words),
            remarks=remarks_of(words),
        )
        yield NodeState(activity="practising", swarm=swarm)


def broken() -> Iterator[NodeState]:
    """What can go wrong, foreseen or not; what nobody foresaw may be in digits only here."""
    practising = NodeState(activity="practising")
    for text in ("The disk that holds {} is full. Free some space and {}.", "Try again."):
        error = (
            DiskFullError(translatable(text, "1", "2")) if "{}" in text else DiskFullError("1234")
        )
        yield apply(practising, failed(error))
    yield apply(practising, Failed(words="1234", fatal=False))


def listed_models() -> ModelsListed:
    """The catalogue, all of it to be fetched."""
    tables = tomllib.loads((RESOURCES / "models.toml").read_text(encoding="utf-8"))["models"]
    models = tuple(
        ListedModel(
            id=table["id"],
            title=table["title"],
            sentence=table["sentence"],
            presence="available" if table.get("repo") else "ships",
            licence="Apache-2.0",
            terms=table.get("terms", ""),
        )
        for table in tables
    )
    return ModelsListed(models=models, disk_free=10**10)


def kinds() -> PracticeShown:
    """All kinds of puzzles."""
    tables = tomllib.loads((RESOURCES / "tasks.toml").read_text(encoding="utf-8"))["tasks"]
    shown = tuple(PuzzleKind(task=table["id"], title=table["title"]) for table in tables)
    return PracticeShown(model="spark", kinds=shown)


def offered() -> SwarmShown:
    """The swarm of the settings, which is one of those on offer."""
    (table,) = tomllib.loads((RESOURCES / "swarms.toml").read_text(encoding="utf-8"))["swarms"]
    meadow = Destination(name="meadow", wire="meadow", is_private=False)
    return SwarmShown(
        swarm=meadow, offered=(OfferedSwarm("meadow", table["title"], table["words"]),)
    )


def findings() -> tuple[Finding, ...]:
    """One for everything that core can say."""
    return tuple(
        Finding("disk", ok=at % 2 == 0, words="x", remarks=(Remark(text, ("1",) * 6),))
        for at, text in enumerate(dict.fromkeys(fixed_texts()))
    )


def play(name: PageName, qtbot: QtBot) -> list[str]:
    """All texts of the page ``name`` in all states, one after the other."""
    actions = FakeActions()
    page = PAGES[name](LIGHT, actions)
    qtbot.addWidget(page)
    read: list[str] = []
    page.show_state(AppState(choices=load_choices(), chosen="spark"))
    page.show()
    answers: dict[type[Request], Reply] = {
        ListModels: listed_models(),
        ShowPractice: kinds(),
        ShowSwarm: offered(),
    }
    for request in actions.of(Request):
        if type(request) in answers:
            actions.reply(structs.replace(answers[type(request)], id=request.id))
    if isinstance(page, SettingsPage):
        for section in SECTIONS:
            page.open_section(section)
        looking = actions.last(LookAround)
        actions.reply(LookedAround(id=looking.id, findings=findings()))
    QApplication.processEvents()
    for state in app_states():
        page.show_state(state)
        read += texts(page)
    return read


@pytest.mark.parametrize("name", ["home", "swarm", "models", "practice", "settings"])
def test_no_english_is_left(name: PageName, qapp: QApplication, qtbot: QtBot) -> None:
    """What is the same in both languages has no letters beside those of names."""
    english = play(name, qtbot)
    with speaking(qapp, "de"):
        german = play(name, qtbot)
    assert len(english) == len(german) > 50
    same = {one for one, other in zip(english, german, strict=True) if one == other}
    assert {text for text in same if LETTER.search(NAMES.sub("", text))} == set()
