"""*Window*: how it looks, which language it speaks, and what goes on while it is closed."""

from PySide6.QtWidgets import QSystemTrayIcon, QWidget

from app.backend.actions import Actions
from app.pages.settings.section import Section
from app.style.theme import Palette
from app.widgets.controls import Switch
from app.widgets.request_status import RequestStatus
from app.widgets.rows import Group, SettingRow
from core.api.maintenance import AutostartShown, SetAutostart, ShowAutostart


class WindowSection(Section):
    """All of it counts at once, save the language."""

    def __init__(self, _palette: Palette, actions: Actions) -> None:
        super().__init__(actions)
        self._starts = False  # with the computer, as the system said last
        self._autostart = Switch(self.tr("Start with the computer"))
        self._autostart.setEnabled(False)  # until the system has said how it is
        self._autostart.changed.connect(self._on_autostart)
        self._line = RequestStatus(actions)
        self._line.ended.connect(self._on_ended)
        self.add(self._looks(), self._languages(), self._closed())

    def opened(self) -> None:
        """Ask the system how it is by now."""
        self._line.begin(ShowAutostart(), "")

    def _on_autostart(self, on: object) -> None:
        self._line.begin(SetAutostart(on=bool(on)), self.tr("Asking the system…"))

    def _on_ended(self, answer: object) -> None:
        if isinstance(answer, AutostartShown):
            self._starts = answer.on
            self._autostart.setEnabled(True)
        self._autostart.show_value(self._starts)

    def _looks(self) -> QWidget:
        return Group(
            self.tr("Looks"),
            self.choice(
                self.tr("Light or dark"),
                "window.theme",
                [
                    ("system", self.tr("As the system has it")),
                    ("light", self.tr("Light")),
                    ("dark", self.tr("Dark")),
                ],
            ),
            self.choice(
                self.tr("Colours"),
                "window.colours",
                [("honey", self.tr("Honey")), ("sea", self.tr("Sea"))],
                self.tr("In both, nothing is told by red and green alone."),
            ),
        )

    def _languages(self) -> QWidget:
        return Group(
            self.tr("Language"),
            self.choice(
                self.tr("Words of this window"),
                "window.language",
                [
                    ("system", self.tr("As the system has it")),
                    ("en", "English"),
                    ("de", "Deutsch"),
                    ("es", "Español"),
                    ("zh_CN", "简体中文"),
                ],
                self.tr("Counts from the next start of Waggle."),
            ),
        )

    def _closed(self) -> QWidget:
        tray = self.switch(
            self.tr("Stay in the tray when the window is closed"),
            "window.tray",
            self.tr("Practice goes on, and a small icon leads back to the window."),
        )
        if not QSystemTrayIcon.isSystemTrayAvailable():
            tray.setEnabled(False)
            tray.say(self.tr("This desktop has no tray. Closing the window ends practice."))
        start = SettingRow(
            self.tr("Start with the computer"),
            self._autostart,
            self.tr(
                "Quietly, without a window in your way, and begins to practise, within your rules. "
                "The system has the last word on it."
            ),
        )
        notices = self.switch(
            self.tr("Notifications"),
            "window.notifications",
            self.tr(
                "Few: when practice stops for trouble, at a milestone, and when there is a newer "
                "Waggle. Never for rounds."
            ),
        )
        made = Group(self.tr("While you do other things"), start, tray, notices)
        made.put_last(self._line)
        return made
