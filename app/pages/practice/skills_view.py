"""The tab *Skills*: what the model can do, kind by kind and level by level."""

from pathlib import Path

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.backend.actions import Actions
from app.backend.latest_call import LatestCall
from app.backend.pace import Pace
from app.backend.timer import QtTimer, Timer
from app.pages.practice.skill_map import SkillMap
from app.pages.practice.skill_map_model import skill_map_model
from app.pages.practice.skill_picture import draw_skill_picture
from app.state.app_state import AppState
from app.state.intents import Open
from app.state.model_choices import ModelChoice
from app.style import theme
from app.style.theme import Palette
from app.text.error_words import told
from app.widgets.basics import bare_column, button, column_of, frame, label
from app.widgets.file_dialogs import FileDialogs
from app.widgets.focusable_scroll_area import FocusableScrollArea
from app.widgets.notice_bar import NoticeBar
from app.widgets.share_dialog import ShareDialog, SharedPicture
from core.api.events import RoundFinished
from core.api.requests import Refused
from core.api.skills import ShowSkills, SkillsShown

ASK_S = 5.0
"""The map is asked for at most so often."""


class SkillsView(QWidget):
    """A function of the helper's replies; while it is seen, asks anew when rounds finish.

    Kinds keep their places until the view is opened anew, whatever is learnt meanwhile.
    """

    chosen = Signal(object)  # MapCell: somebody wants to see puzzles of it

    def __init__(self, palette: Palette, actions: Actions, alarm: Timer | None = None) -> None:
        super().__init__()
        self._actions = actions
        self._palette = palette
        self._call = LatestCall(actions)
        self._pace = Pace(self._ask, ASK_S, alarm or QtTimer(self))
        self._model: ModelChoice | None = None
        self._last: RoundFinished | None = None
        self._shown: SkillsShown | None = None
        self._dialogs = FileDialogs()
        self._headline = label("", "hero", wrap=True)
        self._compared = label("", "lead", wrap=True)
        self._detail = label("", "muted", wrap=True)
        self._notice = NoticeBar()
        self._home = button(self.tr("Open Home"))
        self._picture = button(self.tr("Make a picture…"))
        self._map = SkillMap(palette)
        self._card = frame("card")
        self._scroll = FocusableScrollArea(self.tr("Skills"))
        self._connect()
        self._lay_out()

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """What is dressed one by one."""
        return self._scroll.verticalScrollBar(), self._notice, self._card

    def show_state(self, state: AppState) -> None:
        """Be about the model of ``state``, and take note of rounds that finished."""
        model, last = state.model, state.node.last
        if self._model is None or model.id != self._model.id:
            self._model, self._last, self._shown = model, last, None
            self._notice.hide()
            self._show()
            self._ask()
        elif last is not self._last:
            self._model, self._last = model, last
            if self.isVisible():  # or it asks when it is seen
                self._pace.want()

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette`` where the style sheet does not reach."""
        self._palette = palette
        self._map.show_palette(palette)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Ask how it is by now; each kind gets the place that it has earned meanwhile."""
        super().showEvent(event)
        self._show(is_sorted=True)
        self._pace.want()

    def _ask(self) -> None:
        if self.isVisible() and self._model is not None:
            self._call.make(ShowSkills(model=self._model.id), self._on_shown, self._on_refused)

    def _on_shown(self, shown: SkillsShown) -> None:
        if self._model is None or shown.model != self._model.id:
            return  # another was chosen while nobody looked
        self._notice.take_back(self._pace.hurry)
        self._shown = shown
        self._show()

    def _on_refused(self, why: Refused) -> None:
        self._notice.tell(told(why), self.tr("Try again"), self._pace.hurry, is_grave=True)
        self._detail.setVisible(self._shown is not None)

    def _show(self, *, is_sorted: bool = False) -> None:
        if self._model is None:
            return
        order = () if is_sorted else [row.task for row in self._map.model.rows]
        looks = skill_map_model(self._shown, self._model.title, order)
        self._headline.setText(looks.headline)
        self._compared.setText(looks.compared)
        self._compared.setVisible(bool(looks.compared))
        self._detail.setText(looks.detail)
        self._detail.show()
        self._home.setVisible(looks.offers_home)
        self._picture.setVisible(bool(looks.rows))
        self._map.show_map(looks)
        self._map.setVisible(bool(looks.rows))

    def _share(self) -> None:
        """Show the picture, and let the person say where it shall go."""
        looks = self._map.model
        holds = self.tr(
            "What the model solves, nothing else. It leaves this computer only if you send it."
        )
        spoken = "\n".join(filter(None, (looks.headline, looks.compared, looks.detail)))
        image = draw_skill_picture(looks, self._palette)
        picture = SharedPicture(image, spoken, holds, "waggle-skills.png")
        dialog = ShareDialog(picture, self._dialogs, self)
        dialog.saved.connect(self._on_saved)
        dialog.failed.connect(self._on_failed)
        self._actions.dress(dialog)
        dialog.open()

    def _on_saved(self, path: Path) -> None:
        self._notice.tell_saved(path, self._actions)

    def _on_failed(self, words: str) -> None:
        self._notice.tell(words, self.tr("Try again"), self._share, is_grave=True)

    def _on_moved(self, cell: QRect) -> None:
        """Scroll to where the keyboard is."""
        middle = self._map.mapTo(self._scroll.inside, cell.center())
        self._scroll.ensureVisible(middle.x(), middle.y(), 0, 2 * cell.height())

    def _connect(self) -> None:
        self._home.clicked.connect(lambda: self._actions.dispatch(Open("home")))
        self._picture.clicked.connect(self._share)
        self._map.chosen.connect(self.chosen.emit)
        self._map.moved.connect(self._on_moved)

    def _lay_out(self) -> None:
        inside = column_of(self._card)
        head = QHBoxLayout()
        head.addWidget(self._headline, 1)
        head.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        inside.addLayout(head)
        for words in (self._compared, self._detail):
            inside.addWidget(words)
        inside.addWidget(self._home, 0, Qt.AlignmentFlag.AlignLeft)
        inside.addSpacing(theme.SPACE_S)
        inside.addWidget(self._map)
        self._scroll.column.addWidget(self._notice)
        self._scroll.column.addWidget(self._card)
        self._scroll.column.addStretch()
        bare_column(self).addWidget(self._scroll)
