"""The unfolded part of a card: facts, and a row for everything that can be done."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from app.pages.models.act_button import ActButton, OnAct
from app.pages.models.details import DetailRow, Details, Token
from app.pages.models.question import InlineQuestion
from app.pages.models.view_model import RowAction
from app.style import theme
from app.widgets.basics import bare_column, button, label, set_style
from app.widgets.rows import hairline
from app.widgets.selectable_label import SelectableLabel


class TokenForm(QWidget):
    """A field and a button; once a token is kept, a way to be rid of it."""

    def __init__(self, on_act: OnAct) -> None:
        super().__init__()
        self._on_act = on_act
        self._shown: Token | None = None
        name = self.tr("Access token of huggingface.co")
        self._field = QLineEdit()
        self._field.setEchoMode(QLineEdit.EchoMode.Password)
        self._field.setPlaceholderText("hf_…")
        self._field.setMaxLength(500)
        self._field.setAccessibleName(name)
        self._keep = button(self.tr("Keep"), kind="small")
        self._forget = button(self.tr("Forget it"), kind="small")
        self._words = label("", "small", wrap=True)
        self._field.returnPressed.connect(self._on_keep)
        self._field.textChanged.connect(lambda text: self._keep.setEnabled(bool(text.strip())))
        self._keep.clicked.connect(self._on_keep)
        self._keep.setEnabled(False)
        self._forget.clicked.connect(lambda: on_act(RowAction("", "forget_token")))
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self._field, 1)
        row.addWidget(self._keep)
        row.addWidget(self._forget)
        column = bare_column(self, theme.SPACE_XS)
        column.addWidget(label(name, "heading"))
        column.addLayout(row)
        column.addWidget(self._words)
        self.hide()

    def show_token(self, token: Token | None) -> None:
        """Say whether there is a token, and what became of it; None hides all that.

        What was typed goes once it is kept.
        """
        self.setVisible(token is not None)
        if token is None or token == self._shown:
            return
        self._shown, said = token, token.said
        is_trouble = said is not None and said.is_trouble
        if said is not None and not is_trouble:
            self._field.clear()
        explanation = (
            self.tr(
                "This computer keeps one where it keeps passwords. Only Hugging Face is shown it."
            )
            if token.is_kept
            else self.tr(
                "Make one on huggingface.co/settings/tokens. This computer keeps it where it keeps "
                "passwords."
            )
        )
        self._words.setText(explanation if said is None else said.words)
        set_style(self._words, "role", "trouble" if is_trouble else "small")
        self._forget.setVisible(token.is_kept)

    def _on_keep(self) -> None:
        if self._field.text().strip():
            self._on_act(RowAction("", "keep_token", self._field.text().strip()))


class DetailPanel(QWidget):
    """Draws ``Details``; what is there already is only changed, so that no focus is lost."""

    def __init__(self, on_act: OnAct) -> None:
        super().__init__()
        self._on_act = on_act
        self._facts: list[tuple[QLabel, QLabel]] = []
        self._rows: list[_RowWidget] = []
        self._token = TokenForm(on_act)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(theme.SPACE_L)
        self._grid.setVerticalSpacing(theme.SPACE_XS)
        self._grid.setColumnStretch(1, 1)
        self._column = QVBoxLayout()
        self._column.setSpacing(0)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, theme.SPACE_S, 0, 0)
        whole.setSpacing(theme.SPACE_M)
        whole.addLayout(self._grid)
        whole.addWidget(self._token)
        whole.addLayout(self._column)

    def show_details(self, details: Details) -> None:
        """Draw ``details``."""
        while len(self._facts) < len(details.facts):
            self._add_fact()
        for number, labels in enumerate(self._facts):
            texts = details.facts[number] if number < len(details.facts) else ("", "")
            for shown, text in zip(labels, texts, strict=True):
                shown.setText(text)
                shown.setVisible(bool(text))
        self._token.show_token(details.token)
        while len(self._rows) < len(details.rows):
            self._add_row()
        for number, row in enumerate(self._rows):
            row.show_row(details.rows[number] if number < len(details.rows) else None)

    def _add_fact(self) -> None:
        name, value = label("", "muted"), SelectableLabel()
        number = len(self._facts)
        self._grid.addWidget(name, number, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(value, number, 1)
        self._facts.append((name, value))

    def _add_row(self) -> None:
        made = _RowWidget(self._on_act)
        self._column.addWidget(made)
        self._rows.append(made)


class _RowWidget(QWidget):
    """A hairline, words on the left, buttons on the right; below, what one of them asks first."""

    def __init__(self, on_act: OnAct) -> None:
        super().__init__()
        self._question = InlineQuestion(on_act)
        self._other, self._button = ActButton(self._question.put), ActButton(self._question.put)
        self._heading = label("", "heading")
        self._heading.setContentsMargins(0, theme.SPACE_M, 0, theme.SPACE_S)
        self._title, self._note = label("", wrap=True), label("", "small", wrap=True)
        words = QVBoxLayout()
        words.setSpacing(theme.SPACE_XS // 2)
        words.addWidget(self._title)
        words.addWidget(self._note)
        row = QHBoxLayout()
        row.setContentsMargins(0, theme.SPACE_S, 0, theme.SPACE_S)
        row.setSpacing(theme.SPACE_L)
        row.addLayout(words, 1)
        for way in (self._other, self._button):
            row.addWidget(way, 0, Qt.AlignmentFlag.AlignVCenter)
        column = bare_column(self, 0)
        column.addWidget(self._heading)
        column.addWidget(hairline())
        column.addLayout(row)
        column.addWidget(self._question)

    def show_row(self, row: DetailRow | None) -> None:
        """Draw ``row``; None hides it."""
        self._question.keep_if(*(() if row is None else row.acts))
        if row is not None:
            self._heading.setText(row.heading)
            self._heading.setVisible(bool(row.heading))
            self._title.setText(row.title)
            self._note.setText(row.note)
            self._button.setAccessibleDescription(row.note)
            self._button.show_act(row.act)
            self._other.show_act(row.other)
        self.setVisible(row is not None)
