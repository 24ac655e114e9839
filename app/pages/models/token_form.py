"""The access token that some models ask for: typed in once, kept where the system keeps secrets."""

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.pages.models.act_button import OnAct
from app.pages.models.details import Token
from app.pages.models.view_model import Act
from app.style import theme
from app.widgets.basics import button, label, set_style


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
        self._forget.clicked.connect(lambda: on_act(Act("", "forget_token")))
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self._field, 1)
        row.addWidget(self._keep)
        row.addWidget(self._forget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_XS)
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
            self._on_act(Act("", "keep_token", self._field.text().strip()))
