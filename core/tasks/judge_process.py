"""The isolated judge: a process of its own that makes puzzles and judges answers to them.

It reads Work on file descriptor 0 and writes replies to what was file descriptor 1; the end of the
input is its leash. All that it needs is loaded before it locks itself in; only then does the first
answer of a stranger come in.
"""

import gc
import os
import sys
import types
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Protocol

from core.decks.library import read_deck
from core.errors import DeckError, RulesetError
from core.i18n import remarks_of, words_of
from core.rollouts.types import PuzzleKey, Question
from core.tasks.confinement import Layer, confine, layers_here
from core.tasks.judge_messages import (
    HEADER,
    Greeting,
    Judged,
    Made,
    NotReady,
    Ready,
    Reply,
    Work,
    WorkRefused,
    body_size,
    decode_work,
    to_frame,
)


class Examiner(Protocol):
    """Makes puzzles and judges answers; whatever it raises is caught."""

    def question(self, key: PuzzleKey) -> Question:
        """Make the question of ``key``.

        Raises:
            UnknownTaskError: the key names a task or level outside the catalogue.
        """
        ...

    def reward(self, key: PuzzleKey, answer: str) -> float:
        """Judge an answer to the question of ``key``, in [0, 1]."""
        ...

    def is_canonical(self, key: PuzzleKey, answer: str) -> bool:
        """Whether a right answer to the question of ``key`` has the form of the puzzle's own."""
        ...


class Channel:
    """The two pipes to the scorer."""

    def __init__(self, inbox: BinaryIO, outbox: BinaryIO) -> None:
        self._inbox = inbox
        self._outbox = outbox

    def receive(self) -> Work | None:
        """Wait for the next Work; None when the scorer is gone.

        Raises:
            WireError: what came is no Work; the pipe is of no use any more.
        """
        header = self._inbox.read(HEADER.size)
        if len(header) < HEADER.size:
            return None
        return decode_work(self._inbox.read(body_size(header)))

    def send(self, message: Greeting | Reply) -> None:
        """Write one message at once."""
        self._outbox.write(to_frame(message))
        self._outbox.flush()


def take_channel() -> Channel:
    """Keep the pipes for ourselves, and send what libraries print to stderr instead."""
    channel = Channel(sys.stdin.buffer, os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)
    return channel


def run(load: Callable[[], Examiner], layers: Sequence[Layer]) -> int:
    """Load, put ``layers`` on, and serve until the scorer goes away.

    The exit code says whether the judge could start.
    """
    channel = take_channel()
    try:
        examiner = load()
    except (RulesetError, DeckError) as error:
        words, is_deck = words_of(error), isinstance(error, DeckError)
        said = words[:1000], remarks_of(words)
        channel.send(NotReady("deck" if is_deck else "ruleset", *said))
        return 1
    except Exception as error:  # noqa: BLE001 - the scorer says it in words, whatever it was
        channel.send(NotReady("other", f"{type(error).__name__}: {error}"[:1000]))
        return 1
    with suppress(OSError):  # Windows keeps a folder that is in use; the scorer removes it
        Path.cwd().rmdir()  # nothing can be left behind in a folder that is gone
    gc.freeze()  # the libraries' million objects never die: do not look through them again
    confinement = confine(layers)
    channel.send(Ready(confinement.active, confinement.missing))
    while (work := channel.receive()) is not None:
        attend(work, examiner, channel.send)
    return 0


def attend(work: Work, examiner: Examiner, send: Callable[[Reply], None]) -> None:
    """Make the puzzle and judge its answers, sending each result as soon as it is known."""
    try:
        question = examiner.question(work.key)
        made = Made(question.prompt, question.held_out, question.lesson)
        digest = question.digest
    except Exception:  # noqa: BLE001 - a library's bug in one puzzle is not the judge's end
        send(WorkRefused())
    else:
        if work.digest not in (None, digest):
            send(WorkRefused())
            return
        send(made)
        for answer in work.answers:
            send(judged(examiner, work.key, answer))


def judged(examiner: Examiner, key: PuzzleKey, answer: str) -> Judged:
    """What the examiner says, its reward as a finite number in [0, 1]; 0.0 where judging fails."""
    try:
        reward = float(examiner.reward(key, answer))
        if not reward > 0.0:  # not-a-number is not above zero
            return Judged(0.0)
        return Judged(min(reward, 1.0), unusual=not examiner.is_canonical(key, answer))
    except Exception:  # noqa: BLE001 - an answer that breaks its verifier is wrong
        return Judged(0.0)


def load_catalog_examiner(decks: Sequence[Path] = ()) -> Examiner:
    """Load the puzzle library, the catalogue and the files of ``decks``.

    Raises:
        RulesetError: the library is not the release that the swarm speaks.
        DeckError: one of the files is no deck, or another one than its name says.
    """
    # Only game_of_life, which is not in the catalogue, needs cellpylib; it drags in matplotlib,
    # which looks at every font of the machine: a second here, many on a desktop.
    sys.modules["cellpylib"] = types.ModuleType("cellpylib")
    from core.tasks.catalog_examiner import CatalogExaminer

    return CatalogExaminer([read_deck(path) for path in decks])


def main() -> int:
    """Run the judge of this release."""
    decks = [Path(name) for name in sys.argv[1:]]
    return run(lambda: load_catalog_examiner(decks), layers_here())
