"""Asks before something is done that takes time or cannot be taken back at once."""

from dataclasses import replace

from app.pages.models.act_button import OnAct
from app.pages.models.inline_message import InlineMessage
from app.pages.models.view_model import RowAction


class InlineQuestion(InlineMessage):
    """Stands right below the button that it is about; hidden while nothing is asked."""

    def __init__(self, agreed: OnAct) -> None:
        super().__init__(self._on_answer)
        self._agreed = agreed
        self._act: RowAction | None = None

    def put(self, act: RowAction) -> None:
        """Ask what ``act`` asks; one that asks nothing is agreed to."""
        if not act.asks:
            self._agreed(act)
            return
        self._act = act
        leave = RowAction(self.tr("Leave it"), "dismiss")
        yes = replace(act, text=act.sure or act.text.rstrip("…"), asks="", name="")
        self.say(act.asks, (yes, leave), is_grave=False)
        self.focus_last()

    def keep_if(self, *offered: RowAction | None) -> None:
        """Ask no longer about what is not ``offered`` any more."""
        acts = [(act.verb, act.argument) for act in offered if act is not None and act.enabled]
        if self._act is not None and (self._act.verb, self._act.argument) not in acts:
            self._withdraw()

    def _on_answer(self, act: RowAction) -> None:
        self._withdraw()
        if act.verb != "dismiss":
            self._agreed(act)

    def _withdraw(self) -> None:
        self._act = None
        if self.isAncestorOf(self.focusWidget() or self):
            self.focusPreviousChild()  # its buttons are about to go
        self.say("", (), is_grave=False)
