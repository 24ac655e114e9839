import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess, TimeoutExpired

import numpy as np
import pytest
from numpy.typing import NDArray

from core.sampling import llama_trial
from core.sampling.llama_library import Ids
from core.sampling.llama_runtime import LlamaRuntime
from core.sampling.llama_trial import SamplerTrial, largest_difference, main, try_out
from tests.llama_models import WIDE, build_model, make_gguf, needs_llama

CRASH = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
posix = pytest.mark.skipif(sys.platform == "win32", reason="a signal is how a crash looks on POSIX")


def _command(script: str) -> list[str]:
    return [sys.executable, "-c", script]


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    return make_gguf(build_model(tmp_path / "model", **WIDE), tmp_path / "model.gguf", "q8_0")


@needs_llama
def test_a_sound_build_passes(gguf: Path) -> None:
    """The real process, on a quantised file: tokens together equal tokens one at a time."""
    trial = try_out(gguf)
    assert trial.usable, trial.words
    assert largest_difference(gguf, extra_buffers=False) < 0.01


@needs_llama
@posix
def test_a_crash_with_extra_buffers_means_without(tmp_path: Path) -> None:
    """The second try leaves them out, and what happened is kept for the log."""
    script = f"import sys\nif '--extra-buffers' in sys.argv: {CRASH}"
    trial = try_out(tmp_path / "any.gguf", _command(script))
    assert (trial.usable, trial.extra_buffers) == (True, False)
    assert "with extra buffers: exit code -11" in trial.words


@needs_llama
@posix
def test_a_card_is_tried_in_its_own_way(tmp_path: Path) -> None:
    """Once, with all layers on it; the words say where it went wrong."""
    script = f"import sys\nif '--offload' in sys.argv: {CRASH}"
    trial = try_out(tmp_path / "any.gguf", _command(script), offload=True)
    assert not trial.usable
    assert trial.words.startswith("on the graphics card: exit code -11")
    assert try_out(tmp_path / "any.gguf", _command("pass"), offload=True).usable


@needs_llama
def test_a_card_is_held_against_the_processor(gguf: Path) -> None:
    """Where the library has no card, its layers stay where they are, and agree."""
    assert main([str(gguf), "--offload"]) == 0


@needs_llama
@posix
def test_a_crash_either_way_means_another_sampler(tmp_path: Path) -> None:
    """A crash is an answer, and this process lives on."""
    trial = try_out(tmp_path / "any.gguf", _command(CRASH))
    assert not trial.usable
    assert trial.words.count("exit code -11") == 2


@needs_llama
def test_a_process_that_hangs_is_given_up(tmp_path: Path) -> None:
    """The limit counts for each try; that it was the time is told, for it may do another day."""
    trial = try_out(
        tmp_path / "any.gguf", _command("import threading; threading.Event().wait()"), timeout_s=0.0
    )
    assert not trial.usable
    assert "no end after 0 s" in trial.words
    assert trial.timed_out


@needs_llama
def test_a_way_that_works_is_found_whatever_hung_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be remembered: or every start would wait for the one that hangs again."""

    def run(command: Sequence[str], **_options: object) -> CompletedProcess[bytes]:
        if "--extra-buffers" in command:
            raise TimeoutExpired(command, 60.0)
        return CompletedProcess(command, returncode=0)

    monkeypatch.setattr("subprocess.run", run)
    trial = try_out(tmp_path / "any.gguf", timeout_s=60.0)
    assert (trial.usable, trial.extra_buffers, trial.timed_out) == (True, False, False)
    assert "with extra buffers: no end after 60 s" in trial.words


@needs_llama
def test_a_command_that_does_not_exist_is_no_error(tmp_path: Path) -> None:
    """Nothing that goes wrong here may stop a node from using torch."""
    assert not try_out(tmp_path / "any.gguf", [str(tmp_path / "nothing")]).usable


def test_without_llama_nothing_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer comes at once, and everything goes on with torch."""
    monkeypatch.setattr(llama_trial, "llama_available", lambda: False)
    expected = SamplerTrial(usable=False, extra_buffers=False, words="llama.cpp is not installed")
    assert try_out(tmp_path / "any.gguf") == expected


@needs_llama
def test_a_damaged_file_fails_in_words(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The reason is the last line that the process says."""
    (tmp_path / "bad.gguf").write_bytes(b"GGUF")
    assert main([str(tmp_path / "bad.gguf")]) == 1
    assert "cannot be loaded" in capfd.readouterr().err


class _Miscounting(LlamaRuntime):
    """llama.cpp with a kernel that is wrong, always in the same way, for more than one token."""

    def decode(
        self, tokens: Ids, positions: Ids, rows: Ids, wanted: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        logits = super().decode(tokens, positions, rows, wanted)
        return logits if len(tokens) == 1 else logits[:, ::-1]


class _Breaking(LlamaRuntime):
    """llama.cpp with a kernel that makes no numbers at all of more than one token."""

    def decode(
        self, tokens: Ids, positions: Ids, rows: Ids, wanted: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        logits = super().decode(tokens, positions, rows, wanted)
        return logits if len(tokens) == 1 else np.full_like(logits, np.nan)


@needs_llama
@pytest.mark.parametrize("runtime", [_Miscounting, _Breaking])
def test_a_build_that_counts_wrongly_fails(
    gguf: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    runtime: type[LlamaRuntime],
) -> None:
    """Not to crash is not enough: tokens read together must be what they are one at a time."""
    monkeypatch.setattr(llama_trial, "LlamaRuntime", runtime)
    assert main([str(gguf)]) == 1
    assert "log-probabilities differ" in capfd.readouterr().err
