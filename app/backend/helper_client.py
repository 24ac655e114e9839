"""The helper as a child process: requests in, answers out, started when first needed.

When it dies, what was not answered yet is refused in words, and the next request starts a new one.
It is let go when nothing was asked for a while, too.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import count
from typing import Final

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from app.backend.child import Child
from app.backend.helper_call import HelperCall
from app.backend.output_log import OutputLog
from app.backend.timer import QtTimer, Timer
from core.api.models import ExportModel
from core.api.pipe import encode
from core.api.practice import TakeExam
from core.api.protocol import AnyAnswer, decode_answer, number_in
from core.api.requests import Cancel, Refused, Request
from core.errors import WireError

LONG: Final = (TakeExam, ExportModel)
"""Minutes of work, of which nothing is kept before its end."""

CLOSE_S = 3.0  # for ending requests, after the leash was let go
IDLE_S = 600.0  # without a request; what it loaded for the last one takes memory meanwhile


class HelperClient(QObject):
    """Runs the helper that ``command`` starts."""

    answered = Signal(object)  # AnyAnswer: every one, before its call tells of it
    ended = Signal()  # the process is gone

    def __init__(self, command: Sequence[str], log: OutputLog, alarm: Timer | None = None) -> None:
        super().__init__()
        self._log = log
        self._child = Child(command, log)
        self._child.line_read.connect(self._read)
        self._child.ended.connect(self._on_ended)
        self._alarm = alarm or QtTimer()
        self._is_closed = False  # for good
        self._is_ending = False  # this process was let go of
        self._numbers = count(1)
        self._open: dict[int, HelperCall] = {}
        self._late: list[Request] | None = None  # asked while an idle one ends; for the next

    @property
    def is_running(self) -> bool:
        """There is a process."""
        return self._child.is_running

    @property
    def would_lose(self) -> bool:
        """Something long is under way that would have to begin anew."""
        return any(call.is_long for call in self._open.values())

    def call(self, request: Request) -> HelperCall:
        """Send ``request`` with a number of its own.

        Once closed, the helper is not started again: ``request`` is refused.
        """
        number = next(self._numbers)
        is_long = isinstance(request, LONG)
        made = HelperCall(number, partial(self._cancel, number), is_long=is_long)
        self._open[number] = made
        if not self._child.is_running:
            self._begin()
        self._send(msgspec.structs.replace(request, id=number))
        return made

    def _cancel(self, number: int) -> None:
        if number in self._open:
            self._send(Cancel(id=next(self._numbers), request=number))

    def _send(self, request: Request) -> None:
        if self._late is not None:
            self._late.append(request)
        if self._child.is_running and not self._is_ending:  # else refused when it is gone
            self._child.write(encode(request))
            if self._open:
                self._alarm.clear()

    def close(self) -> None:
        """Let go of the leash for good, which ends all requests; ``ended`` says when it is gone."""
        self._is_closed = True
        self._late = None
        self._let_go()

    def _begin(self) -> None:
        if self._is_closed:
            self._refuse_all_but(frozenset())
        else:
            self._is_ending = False
            self._child.start()

    def _let_go(self) -> None:
        if self._child.is_running:
            self._is_ending = True
            self._child.let_go()
            self._alarm.set(CLOSE_S, self._child.kill)

    def _read(self, line: bytes) -> None:
        try:
            self._pass_on(decode_answer(line))
        except WireError as error:
            self._log.write(f"Ignoring a line that is no answer: {error}\n".encode())
            self._give_up(number_in(line))

    def _give_up(self, number: int) -> None:
        """Refuse the request ``number``, if there is one: its answer cannot be read."""
        self._cancel(number)  # that may have been a word on the way
        words = self.tr("The helper of this window gave an answer that makes no sense. Try again.")
        self._pass_on(Refused(id=number, words=words))

    def _pass_on(self, answer: AnyAnswer) -> None:
        call = self._open.get(answer.id)
        if call is None:  # it was refused before
            return
        if answer.is_last:
            del self._open[answer.id]
            if not self._open and self._child.is_running and not self._is_ending:
                self._alarm.set(IDLE_S, self._rest)
        self.answered.emit(answer)
        call.deliver(answer)

    def _rest(self) -> None:
        self._let_go()
        self._late = []

    def _on_ended(self) -> None:
        self._alarm.clear()
        late, self._late = self._late or [], None
        self._refuse_all_but({request.id for request in late})
        self.ended.emit()
        if self._open:
            self._begin()
            for request in late:
                self._send(request)

    def _refuse_all_but(self, kept: AbstractSet[int]) -> None:
        """Tell callers that nothing will come, once they had the time to listen."""
        words = self.tr("The helper of this window ended before it was done. Try again.")
        for number in sorted(self._open.keys() - kept):
            call = self._open.pop(number)
            refused = partial(call.deliver, Refused(id=number, words=words))
            QTimer.singleShot(0, call, refused)
