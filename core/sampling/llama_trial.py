"""Tries llama.cpp out on a model in a throw-away process, whose crash is an answer.

Some builds crash, or count wrongly, on quantised weights that are laid out for the processor's
matrix units, and only for batches of more than one token; such a crash would take the engine along.
So before a file is used for the first time, a process of its own reads several prompts at once and
compares with the same tokens one at a time, for which llama.cpp has simpler code. The caller
remembers the outcome until hardware or versions change.
"""

import faulthandler
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.children import NO_WINDOW, crash_quietly, python_command
from core.errors import WaggleError
from core.sampling.llama_library import llama_available
from core.sampling.llama_runtime import LlamaRuntime

TIMEOUT_S: Final = 60.0
"""Seconds after which a trial that has not ended counts as failed; as many again for each GB."""

_LEASH_S: Final = 3600  # after which it ends by itself, should whoever waits for it be gone

LARGEST_DIFFERENCE: Final = 0.1
"""Mean difference of log-probabilities that rounding may make; a wrong kernel makes far more."""

_EXTRA: Final = "--extra-buffers"
_OFFLOAD: Final = "--offload"
_WAYS: Final = {
    _EXTRA: "with extra buffers",
    "": "without extra buffers",
    _OFFLOAD: "on the graphics card",
}
_ROWS: Final = 2  # each of whose tokens costs one pass over all weights
_PROMPT: Final = 21  # tokens: twice as many are a few tiles of a matrix unit and a rest
_STEPS: Final = 2


class SamplerTrial(msgspec.Struct, frozen=True):
    """The outcome of a trial."""

    usable: bool
    extra_buffers: bool  # quantised weights may be laid out for the matrix units
    words: str  # for the log
    timed_out: bool = False  # unusable on a busy computer perhaps; another time it may go well


def try_out(
    gguf: Path,
    command: Sequence[str] | None = None,
    timeout_s: float | None = None,
    *,
    offload: bool = False,
) -> SamplerTrial:
    """Find out whether, and how, llama.cpp can be used on ``gguf`` here; ``offload``: on a card.

    Never raises: whatever goes wrong means that another sampler is used.
    """
    if not llama_available():
        return SamplerTrial(usable=False, extra_buffers=False, words="llama.cpp is not installed")
    command = python_command("core.sampling.llama_trial") if command is None else command
    if timeout_s is None:
        size = gguf.stat().st_size if gguf.exists() else 0  # the process says what is wrong
        timeout_s = TIMEOUT_S * (1 + size / 1e9)
    said: list[str] = []
    timed_out = False
    # On a card nothing is laid out for the processor.
    for options in [[_OFFLOAD]] if offload else [[_EXTRA], []]:
        try:
            trouble = _trouble([*command, str(gguf), *options], timeout_s)
        except subprocess.TimeoutExpired:
            trouble, timed_out = f"no end after {timeout_s:.0f} s", True
        if trouble is None:
            words = "; ".join(said) or "fine"
            return SamplerTrial(usable=True, extra_buffers=_EXTRA in options, words=words)
        said.append(f"{_WAYS[''.join(options)]}: {trouble}")
    return SamplerTrial(
        usable=False, extra_buffers=False, words="; ".join(said), timed_out=timed_out
    )


def _trouble(command: Sequence[str], timeout_s: float) -> str | None:
    """Run one trial; None if it went well, else what happened.

    Raises:
        subprocess.TimeoutExpired: it did not end.
    """
    try:
        ended = subprocess.run(  # noqa: S603 - our own program
            command,
            stdin=subprocess.DEVNULL,  # the engine's own is where the window speaks
            capture_output=True,
            timeout=timeout_s,
            check=False,
            start_new_session=True,  # Ctrl-C in a terminal is for us alone, and is no crash
            creationflags=NO_WINDOW,
        )
    except OSError as error:
        return f"it cannot be started ({error})"
    if ended.returncode == 0:
        return None
    lines = ended.stderr.decode("utf-8", "replace").strip().splitlines()
    return f"exit code {ended.returncode} ({lines[-1][:200] if lines else 'silent'})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the file that is named first; the exit code says whether all went well."""
    arguments = sys.argv[1:] if arguments is None else arguments
    crash_quietly()
    faulthandler.dump_traceback_later(_LEASH_S, exit=True)
    extra, offload = _EXTRA in arguments, _OFFLOAD in arguments
    try:
        difference = largest_difference(Path(arguments[0]), extra_buffers=extra, offload=offload)
    except (WaggleError, MemoryError, RuntimeError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if not difference <= LARGEST_DIFFERENCE:  # nan is no agreement either
        sys.stderr.write(f"log-probabilities differ by {difference:.3f}\n")
        return 1
    return 0


def largest_difference(gguf: Path, *, extra_buffers: bool, offload: bool = False) -> float:
    """Difference of tokens read together from the same read one at a time: the worst row's mean.

    Those one at a time are read as plainly as llama.cpp can: by one thread, which waits for no
    other on a busy machine, from weights as the file has them, and never by a graphics card.
    """
    rng = np.random.default_rng(0)
    cores = os.cpu_count() or 1
    with _opened(gguf, cores, extra_buffers=extra_buffers, offload=offload) as runtime:
        texts = rng.integers(runtime.header.vocabulary, size=(_ROWS, _PROMPT + _STEPS))
        together = _together(runtime, texts)
    with _opened(gguf, 1, extra_buffers=False) as runtime:
        alone = np.stack([_one_at_a_time(runtime, text) for text in texts], axis=1)
    return float(np.abs(together - alone).mean(axis=(0, 2)).max())


@contextmanager
def _opened(
    gguf: Path, threads: int, *, extra_buffers: bool, offload: bool = False
) -> Iterator[LlamaRuntime]:
    runtime = LlamaRuntime(gguf, threads, extra_buffers=extra_buffers, offload=offload)
    try:
        runtime.open_context(_ROWS, _PROMPT + _STEPS)
        yield runtime
    finally:
        runtime.close()


def _together(runtime: LlamaRuntime, texts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Log-probabilities [step, row, token] after the prompts and after each further token."""
    rows = np.arange(len(texts), dtype=np.int32)
    prompts = texts[:, :_PROMPT].astype(np.int32)
    positions = np.tile(np.arange(_PROMPT, dtype=np.int32), len(texts))
    wanted = positions == _PROMPT - 1
    found = [runtime.decode(prompts.ravel(), positions, rows.repeat(_PROMPT), wanted).copy()]
    for at in range(_PROMPT, _PROMPT + _STEPS):
        tokens = texts[:, at].astype(np.int32)
        every = np.ones(len(rows), np.bool_)
        found.append(runtime.decode(tokens, np.full_like(rows, at), rows, every).copy())
    return _logprobs(np.stack(found))


def _one_at_a_time(runtime: LlamaRuntime, text: NDArray[np.int64]) -> NDArray[np.float64]:
    """Log-probabilities [step, token] of one row, read token by token."""
    runtime.clear()
    row, wanted = np.zeros(1, np.int32), np.ones(1, np.bool_)
    found = [
        runtime.decode(np.array([token], np.int32), row + at, row, wanted)[0].copy()
        for at, token in enumerate(text)
    ]
    return _logprobs(np.stack(found[_PROMPT - 1 :]))


def _logprobs(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    scores = logits.astype(np.float64)
    scores -= scores.max(axis=-1, keepdims=True)
    logprobs: NDArray[np.float64] = scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))
    return logprobs
