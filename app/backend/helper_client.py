"""The helper as a child process: requests in, answers out, started when first needed.

When it dies, what was not answered yet is refused in words, and the next request starts a new one.
It is let go when nothing was asked for a while, too.
"""

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QObject, Signal

from app.backend.child import Child
from app.backend.output_log import OutputLog
from app.backend.request_numbers import new_number
from app.backend.timer import QtTimer, Timer
from core.api.pipe import encode
from core.api.protocol import AnyAnswer, decode_answer
from core.api.requests import Cancel, Refused, Request
from core.errors import WireError

CLOSE_S = 3.0  # for ending requests, after the leash was let go
IDLE_S = 600.0  # without a request; what it loaded for the last one takes memory meanwhile


class HelperClient(QObject):
    """Runs the helper that ``command`` starts."""

    answered = Signal(object)  # AnyAnswer
    ended = Signal()  # the process is gone

    def __init__(self, command: Sequence[str], log: OutputLog, alarm: Timer | None = None) -> None:
        super().__init__()
        self._child = Child(command, log)
        self._child.line_read.connect(self._read)
        self._child.ended.connect(self._on_ended)
        self._alarm = alarm or QtTimer()
        self._is_closed = False  # for good
        self._is_ending = False  # this process was let go of
        self._open: set[int] = set()
        self._late: list[Request] | None = None  # asked while an idle one ends; for the next
        self.garbage = 0  # lines that were no answers

    @property
    def is_running(self) -> bool:
        """There is a process."""
        return self._child.is_running

    @property
    def is_busy(self) -> bool:
        """Something was asked that has not been answered to the end."""
        return bool(self._open)

    def ask(self, request: Request) -> None:
        """Send ``request``, with a number of its own where the page gave it none.

        Once closed, the helper is not started again: ``request`` is refused.
        """
        if not request.id:
            request = msgspec.structs.replace(request, id=new_number())
        if not isinstance(request, Cancel):
            self._open.add(request.id)
            if not self._child.is_running:
                self._begin()
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
            self._refuse_open()
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
            answer = decode_answer(line)
        except WireError:
            self.garbage += 1
        else:
            self._pass_on(answer)

    def _pass_on(self, answer: AnyAnswer) -> None:
        if answer.is_last:
            self._open.discard(answer.id)
            if not self._open and self._child.is_running and not self._is_ending:
                self._alarm.set(IDLE_S, self._rest)
        self.answered.emit(answer)

    def _rest(self) -> None:
        self._let_go()
        self._late = []

    def _on_ended(self) -> None:
        self._alarm.clear()
        late, self._late = self._late, None
        self._open -= {request.id for request in late or ()}
        self._refuse_open()
        self.ended.emit()
        for request in late or ():
            self.ask(request)

    def _refuse_open(self) -> None:
        lost, self._open = sorted(self._open), set()
        words = self.tr("The helper of this window ended before it was done. Try again.")
        for number in lost:
            self._pass_on(Refused(id=number, words=words))
