"""The card with the programs that practice makes way for."""

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.style import theme
from app.widgets.basics import bare_column, button, label
from app.widgets.controls import DropDown
from app.widgets.row_list import RowButton, arrange
from app.widgets.rows import hairline
from app.widgets.tab_order import in_turn_before
from core.api.programs import plain_name
from core.settings import MOST_PROGRAMS, ProgramName

Programs = tuple[str, ...]


def with_program(programs: Programs, typed: str) -> Programs | None:
    """The list with what was typed; None where that is no name of a program, or there is no room.

    A name that is in the list already, in whatever case, changes nothing.
    """
    name = typed.strip()
    if plain_name(name) in map(plain_name, programs):
        return programs
    try:
        msgspec.convert(name, ProgramName)
    except msgspec.ValidationError:
        return None
    return (*programs, name) if name and len(programs) < MOST_PROGRAMS else None


def without_program(programs: Programs, name: str) -> Programs:
    """The list without ``name``."""
    return tuple(one for one in programs if one != name)


class ProgramsCard(QFrame):
    """The list, a way to add to it, and one to take from it."""

    changed = Signal(object)  # Programs

    def __init__(self) -> None:
        super().__init__()
        self._programs: Programs | None = None
        self._rows: dict[str, QWidget] = {}
        self.setProperty("role", "card")
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        self._none = label(self.tr("None yet."), "muted")
        self._name = DropDown()
        self._name.setEditable(True)
        self._name.setInsertPolicy(DropDown.InsertPolicy.NoInsert)
        self._name.setAccessibleName(self.tr("Name of a program"))
        self._name.setMinimumWidth(theme.FIELD_WIDTH)
        self._trouble = label("", "small", wrap=True)
        self._add = button(self.tr("Add"), kind="small")
        self._add.setAccessibleName(self.tr("Add this program"))
        self._add.clicked.connect(self._on_add)
        field = self._name.lineEdit()
        if field is not None:
            field.setPlaceholderText(self.tr("Choose or type a name"))
            field.returnPressed.connect(self._on_add)
        self._lay_out()
        self.offer(())

    def show_programs(self, programs: Programs) -> None:
        """Show ``programs``; does nothing where nothing changed."""
        if programs == self._programs:
            return
        self._programs = programs
        self._rows = arrange(self._list, self._rows, programs, self._row, harbour=self._name)
        in_turn_before(self._name, *self._rows.values())
        self._none.setVisible(not programs)

    def offer(self, names: Sequence[str]) -> None:
        """Let a person choose among ``names``; what is typed stays."""
        typed = self._name.currentText()
        self._name.clear()
        self._name.addItems(list(names))
        self._name.setCurrentIndex(-1)
        self._name.setEditText(typed)

    def _on_add(self) -> None:
        typed = self._name.currentText()
        if not typed.strip():
            self._name.setFocus()
            return
        programs = self._programs or ()
        added = with_program(programs, typed)
        self._trouble.setVisible(added is None)
        if added is None:
            full = self.tr("There is no room for more than {}: remove one first.")
            no_name = self.tr(
                "That is no name of a program: give it without folders, or choose one."
            )
            is_full = len(programs) >= MOST_PROGRAMS
            self._trouble.setText(full.format(MOST_PROGRAMS) if is_full else no_name)
            return
        self._name.setEditText("")
        if added != self._programs:
            self.changed.emit(added)

    def _row(self, name: str) -> QWidget:
        made = QWidget()
        remove = RowButton(self.tr("Remove"), kind="small")
        remove.setAccessibleName(self.tr("Remove {name}").format(name=name))
        remove.clicked.connect(
            lambda: self.changed.emit(without_program(self._programs or (), name))
        )
        row = QHBoxLayout()
        row.setContentsMargins(0, theme.SPACE_XS, 0, theme.SPACE_XS)
        row.addWidget(label(name, wrap=True), 1)
        row.addWidget(remove)
        column = bare_column(made, 0)
        column.addLayout(row)
        column.addWidget(hairline())
        return made

    def _lay_out(self) -> None:
        adding = QHBoxLayout()
        adding.setSpacing(theme.SPACE_S)
        adding.addWidget(self._name, 1)
        adding.addWidget(self._add)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_L)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(label(self.tr("Programs that come first"), "heading"))
        column.addWidget(
            label(self.tr("Waggle pauses for as long as one of these runs."), "small", wrap=True)
        )
        column.addWidget(self._none)
        column.addLayout(self._list)
        column.addLayout(adding)
        column.addWidget(self._trouble)
        self._trouble.hide()
