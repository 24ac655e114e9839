from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFWriter

from core.errors import ModelError
from core.models.export.gguf_export import write_adapter
from core.models.policy.loading import load_policy
from core.sampling.llama_runtime import LlamaRuntime
from tests.llama_models import build_model, make_gguf, needs_llama
from tests.tiny_models import disturb_adapter

pytestmark = needs_llama
PROMPT = np.array([5, 17, 80, 3, 200, 41], np.int32)


@pytest.fixture(scope="module")
def gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gguf")
    return make_gguf(build_model(folder / "model"), folder / "model.gguf")


def _prompt_scores(runtime: LlamaRuntime, row: int = 0) -> np.ndarray:
    count = len(PROMPT)
    wanted = np.arange(count) == count - 1
    positions = np.arange(count, dtype=np.int32)
    return runtime.decode(PROMPT, positions, np.full(count, row, np.int32), wanted).copy()


def test_the_header_says_what_the_file_holds(gguf: Path) -> None:
    """Enough to tell one model from another."""
    runtime = LlamaRuntime(gguf, threads=1)
    found = runtime.header
    runtime.close()
    assert (found.architecture, found.layers, found.hidden) == ("llama", 2, 48)
    assert found.vocabulary > 256


def test_a_copied_row_goes_on_like_its_source(gguf: Path) -> None:
    """Keys and values are copied whole; a forgotten row starts anew."""
    runtime = LlamaRuntime(gguf, threads=1)
    runtime.open_context(3, 20)
    first = _prompt_scores(runtime)
    runtime.copy(0, 1)
    runtime.copy(0, 2)
    rows = np.arange(3, dtype=np.int32)
    at = np.full(3, len(PROMPT), np.int32)
    scores = runtime.decode(np.full(3, 9, np.int32), at, rows, np.ones(3, np.bool_)).copy()
    runtime.forget(1)
    again = _prompt_scores(runtime, row=1)
    runtime.close()
    assert np.allclose(scores[1:], scores[0], atol=1e-5)
    assert np.allclose(again, first, atol=1e-5)


def test_a_new_context_wears_the_same_adapter(gguf: Path, tmp_path: Path) -> None:
    """For more rows, or longer ones: what the adapter does stays."""
    policy = load_policy(build_model(tmp_path / "model"), 0)
    disturb_adapter(policy)
    write_adapter(policy, tmp_path / "adapter.gguf")
    runtime = LlamaRuntime(gguf, threads=1)
    runtime.use_adapter(tmp_path / "adapter.gguf")
    runtime.open_context(1, 20)
    adapted = _prompt_scores(runtime)
    runtime.open_context(2, 600)
    assert np.allclose(_prompt_scores(runtime), adapted, atol=1e-5)
    assert runtime.tokens_at_once >= 600
    runtime.use_adapter(None)
    assert not np.allclose(_prompt_scores(runtime), adapted, atol=0.1)
    runtime.close()


@pytest.mark.parametrize(
    ("code", "error"), [(-2, MemoryError), (-3, MemoryError), (1, RuntimeError)]
)
def test_a_batch_without_memory_is_told_from_a_wrong_one(
    gguf: Path, monkeypatch: pytest.MonkeyPatch, code: int, error: type[Exception]
) -> None:
    """A card says that its memory is full as it says that computing failed: less is tried then."""
    runtime = LlamaRuntime(gguf, threads=1)
    runtime.open_context(1, 20)
    monkeypatch.setattr("llama_cpp.llama_decode", lambda *_: code)
    with pytest.raises(error):
        _prompt_scores(runtime)
    runtime.close()


def test_closing_twice_is_no_error(gguf: Path) -> None:
    """Whoever cleans up need not know who did before."""
    runtime = LlamaRuntime(gguf, threads=1)
    runtime.open_context(1, 20)
    runtime.close()
    runtime.close()


def test_it_prints_nothing(gguf: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Neither when all goes well nor when a file is damaged: the pipe is for events alone."""
    runtime = LlamaRuntime(gguf, threads=1)
    runtime.open_context(2, 20)
    _prompt_scores(runtime)
    runtime.close()
    (tmp_path / "bad.gguf").write_bytes(b"GGUF but no")
    with pytest.raises(ModelError):
        LlamaRuntime(tmp_path / "bad.gguf", threads=1)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("damage", ["gone", "empty", "words", "cut header", "cut weights"])
def test_a_damaged_file_is_one_sentence(gguf: Path, tmp_path: Path, damage: str) -> None:
    """Whatever is wrong with it, the message names the file and says what to do."""
    path, data = tmp_path / "bad.gguf", gguf.read_bytes()
    content = {
        "empty": b"",
        "words": b"not a model at all",
        "cut header": data[:300],
        "cut weights": data[: len(data) // 2],
    }
    if damage != "gone":
        path.write_bytes(content[damage])
    with pytest.raises(ModelError, match=r"bad\.gguf cannot be loaded.*Delete it"):
        LlamaRuntime(path, threads=1)


def test_an_architecture_that_does_not_exist_is_one_sentence(tmp_path: Path) -> None:
    """A well-formed file of something else."""
    writer = GGUFWriter(tmp_path / "bad.gguf", "honeycomb")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with pytest.raises(ModelError, match="honeycomb"):
        LlamaRuntime(tmp_path / "bad.gguf", threads=1)


def test_an_adapter_of_another_model_is_refused(gguf: Path, tmp_path: Path) -> None:
    """The base goes on as it was."""
    policy = load_policy(build_model(tmp_path / "model", "qwen2"), 0)
    write_adapter(policy, tmp_path / "adapter.gguf")
    runtime = LlamaRuntime(gguf, threads=1)
    runtime.open_context(1, 20)
    before = _prompt_scores(runtime)
    with pytest.raises(ModelError, match=r"adapter\.gguf cannot be used"):
        runtime.use_adapter(tmp_path / "adapter.gguf")
    runtime.clear()
    assert np.allclose(_prompt_scores(runtime), before, atol=1e-6)
    runtime.close()
