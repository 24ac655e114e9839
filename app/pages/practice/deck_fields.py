"""What a person says about a deck: its name and whose it is, its columns, how to compare."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRegularExpression, Signal
from PySide6.QtGui import QRegularExpressionValidator, QValidator
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QWidget

from app.pages.practice.deck_preview_model import PARTS, part_title
from app.style import theme
from app.text.deck_words import MATCHERS, matcher_title
from app.text.plain_text import legible
from app.widgets.basics import bare_column, drop, label
from app.widgets.controls import Choices
from app.widgets.tab_order import in_turn
from core.api.decks import NAME_LENGTH, DeckMatcher, DeckPart, DeckPlan, DeckPreviewed

COLUMNS: Final = 2
_TAG: Final = r"[A-Za-z0-9-]{0,35}"
_DECIMAL: Final = r"(0|[1-9][0-9]{0,11})([.,][0-9]{1,12})?"
_LONGEST_COLUMN: Final = 24


class DeckFields(QWidget):
    """Two columns of fields; ``changed`` tells when the table is to be read in another way."""

    changed = Signal()
    renumbered = Signal()  # rows are other ones from now on; told before ``changed``
    named = Signal()  # what was changed does not change what the rows are

    def __init__(self) -> None:
        super().__init__()
        self.skipped: Sequence[int] = ()
        self._columns: dict[DeckPart, int | None] = {}  # chosen by the person
        self._matcher: DeckMatcher | None = None  # likewise
        self._names: tuple[str, ...] = ()  # of the columns that can be chosen from
        self._name, self._author = _line(self.tr("Name of the deck")), _line(self.tr("Author"))
        self._language = _line(self.tr("Language, such as en or de-AT"), _TAG)
        self._licence = _line(self.tr("Licence, such as CC0-1.0"))
        self._compared = Choices(
            self.tr("How answers are compared"), [(one, matcher_title(one)) for one in MATCHERS]
        )
        self._tolerance = _line(self.tr("How far off a decimal may be"), _DECIMAL)
        self._tolerance_box = under(self._tolerance)
        self._has_names = QCheckBox(self.tr("The first row names the columns"))
        self._has_names.setAccessibleName(self._has_names.text())
        self._parts: dict[DeckPart, Choices] = {}
        self._boxes: list[QWidget] = []  # around them
        self._about, self._reading = QWidget(), QWidget()
        self._choices = QGridLayout()
        self._connect()
        self._lay_out()

    @property
    def is_complete(self) -> bool:
        """Nothing that has to be said is missing or half typed."""
        lines = (self._language, self._tolerance)
        return bool(self._name.text().strip()) and all(one.hasAcceptableInput() for one in lines)

    def plan(self, path: str) -> DeckPlan:
        """The deck that is wanted of the file ``path``."""
        return DeckPlan(
            path=path,
            name=self._name.text().strip(),
            author=self._author.text().strip(),
            language=self._language.text().strip(),
            licence=self._licence.text().strip(),
            matcher=self._matcher,
            tolerance=self._far_off(),
            columns=dict(self._columns),
            names_in_first_row=self._has_names.isChecked(),
            skipped=tuple(sorted(self.skipped)),
        )

    def _far_off(self) -> str:
        """With a point, however the person writes decimals; nothing while it is half typed."""
        typed = self._tolerance.text() if self._tolerance.hasAcceptableInput() else "0"
        return typed.replace(",", ".")

    def begin(self, name: str) -> None:
        """Forget what was said about another file; call the deck ``name``."""
        self.skipped, self._columns, self._matcher, self._names = (), {}, None, ()
        self._name.setText(name[:NAME_LENGTH])
        for one in (self._author, self._language, self._licence):
            one.clear()
        self._tolerance.setText("0")
        self._has_names.setChecked(False)

    def show_preview(self, shown: DeckPreviewed) -> None:
        """Show which columns are in use, and how answers are compared."""
        if shown.is_made:
            self._name.setText(shown.name)
            self._author.setText(shown.author)
            self._language.setText(shown.language)
            self._licence.setText(shown.licence)
        self._about.setEnabled(not shown.is_made)
        self._reading.setVisible(not shown.is_made)
        self._has_names.setVisible(self._has_names.isChecked() or not shown.has_names)
        self._compared.show_value(shown.matcher)
        self._tolerance_box.setVisible(shown.matcher == "decimal")
        if shown.columns != self._names:
            self._names = shown.columns
            self._offer_columns()
        for part, choice in self._parts.items():
            choice.show_value(shown.parts.get(part))

    def _offer_columns(self) -> None:
        """Let the person choose among the columns that there are."""
        for box in self._boxes:
            drop(box, self._choices)
        none = (None, self.tr("none"))
        options = [
            (at, legible(name, _LONGEST_COLUMN) or self.tr("Column {}").format(at + 1))
            for at, name in enumerate(self._names)
        ]
        self._parts, self._boxes = {}, []
        for place, part in enumerate(PARTS):
            made = Choices(part_title(part), [none, *options])
            made.changed.connect(lambda at, part=part: self._on_column(part, at))
            self._parts[part] = made
            self._boxes.append(under(made))
            self._choices.addWidget(self._boxes[-1], place // COLUMNS, place % COLUMNS)
        in_turn(*self._boxes, self._compared, self._tolerance, self._has_names)

    def _on_column(self, part: DeckPart, at: int | None) -> None:
        self._columns[part] = at
        self.changed.emit()

    def _on_compared(self, matcher: DeckMatcher) -> None:
        self._matcher = matcher
        self.changed.emit()

    def _on_names(self) -> None:
        self._columns = {}  # these are other ones, too
        self.renumbered.emit()
        self.changed.emit()

    def _connect(self) -> None:
        for one in (self._name, self._author, self._language, self._licence):
            one.textEdited.connect(lambda _text: self.named.emit())
        # As it is typed: once it is finished, by a press of Keep, would put Keep out of reach.
        self._tolerance.textEdited.connect(lambda _text: self.changed.emit())
        self._compared.changed.connect(self._on_compared)
        self._has_names.clicked.connect(self._on_names)

    def _lay_out(self) -> None:
        about = QGridLayout(self._about)
        lines = (self._name, self._author, self._language, self._licence)
        for place, one in enumerate(lines):
            about.addWidget(under(one), place // COLUMNS, place % COLUMNS)
        free = len(PARTS)
        for place, box in enumerate((under(self._compared), self._tolerance_box), start=free):
            self._choices.addWidget(box, place // COLUMNS, place % COLUMNS)
        for grid in (about, self._choices):
            _space_out(grid)
        reading = bare_column(self._reading, theme.SPACE_M)
        reading.addWidget(label(self.tr("Which column is which"), "heading", wrap=True))
        reading.addLayout(self._choices)
        reading.addWidget(self._has_names)
        column = bare_column(self, theme.SPACE_M)
        column.addWidget(self._reading)
        column.addWidget(label(self.tr("About the deck"), "heading", wrap=True))
        column.addWidget(self._about)


def under(control: QWidget) -> QWidget:
    """``control`` below its name."""
    made = QWidget()
    column = bare_column(made, theme.SPACE_XS)
    name = label(control.accessibleName(), "small", wrap=True)
    name.setBuddy(control)
    column.addWidget(name)
    column.addWidget(control)
    return made


def _line(name: str, pattern: str = "") -> QLineEdit:
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setMaxLength(NAME_LENGTH)
    if pattern:
        check: QValidator = QRegularExpressionValidator(QRegularExpression(pattern), made)
        made.setValidator(check)
    return made


def _space_out(grid: QGridLayout) -> None:
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(theme.SPACE_L)
    grid.setVerticalSpacing(theme.SPACE_S)
    for column in range(COLUMNS):
        grid.setColumnStretch(column, 1)
