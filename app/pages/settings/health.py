"""*What works here*: what was found on this computer, in words."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.backend.actions import Actions
from app.pages.settings.findings import (
    Mark,
    area_in_words,
    in_words,
    mark_in_words,
    mark_of,
    shown,
    sum_up,
)
from app.pages.settings.request_card import RequestCard
from app.pages.settings.section import Section
from app.style import theme
from app.style.theme import Palette
from app.widgets.basics import bare_row, drop, label
from app.widgets.selectable_label import SelectableLabel
from core.api.maintenance import Finding, LookAround, LookedAround

_SIGNS: dict[Mark, str] = {"well": "✓", "note": "\u2013", "trouble": "!"}
_ROLES: dict[Mark, str] = {"well": "good", "note": "muted", "trouble": "trouble"}


class HealthSection(Section):
    """Looks when it is first seen, and whenever it is asked to."""

    def __init__(self, _palette: Palette, actions: Actions) -> None:
        super().__init__(actions)
        self._has_looked = False
        self._findings = FindingsCard(actions)
        self.add(self._findings)

    def opened(self) -> None:
        """Look, once by itself."""
        if not self._has_looked:
            self._has_looked = True
            self._findings.look()


class FindingsCard(RequestCard):
    """A sentence, and a row for everything that was looked at."""

    def __init__(self, actions: Actions) -> None:
        super().__init__(actions, self.tr("What works here"), "")
        self._sum = label(self.tr("Not looked yet."), "lead", wrap=True)
        self._drawn: list[QWidget] = []
        self._rows = QVBoxLayout()
        self._rows.setSpacing(theme.SPACE_M)
        self.content.addWidget(self._sum)
        self.content.addSpacing(theme.SPACE_S)
        self.content.addLayout(self._rows)
        self.content.addSpacing(theme.SPACE_S)
        # Never disabled, or it would lose the keyboard to what comes next; the line has one
        # request.
        self.add_button(self.tr("Look again"), self.look)
        self.line.ended.connect(self._on_ended)

    def look(self) -> None:
        """Ask for everything to be looked at."""
        self.line.begin(LookAround(), self.tr("Looking at everything; this takes a few seconds…"))

    def _on_ended(self, answer: object) -> None:
        if not isinstance(answer, LookedAround):
            return
        for old in self._drawn:
            drop(old, self._rows)
        self._sum.setText(sum_up(answer.findings))
        self._drawn = [_row(one) for one in shown(answer.findings)]
        for row in self._drawn:
            self._rows.addWidget(row)


def _row(finding: Finding) -> QWidget:
    """Sign, area and words; the sign is told to a screen reader as words."""
    mark = mark_of(finding)
    sign = label(_SIGNS[mark], _ROLES[mark])
    sign.setFixedWidth(theme.SPACE_L)
    sign.setAccessibleName(mark_in_words(mark))
    sign.setToolTip(mark_in_words(mark))
    words = QVBoxLayout()
    words.setSpacing(theme.SPACE_XS // 2)
    words.addWidget(label(area_in_words(finding.area)))
    words.addWidget(SelectableLabel(in_words(finding), "small"))
    made = QWidget()
    row = bare_row(made)
    row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
    row.addLayout(words, 1)
    return made
