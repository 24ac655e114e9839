"""``waggle export``."""

import shutil
from pathlib import Path

import pytest

from core.bootstrap import ADAPTER_SEED
from core.cli.main import main
from core.engine.ports import Progress
from core.models.catalog.catalog import load_models
from core.models.export.export import ExportRequest, export_policy
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.sampling.torch_sampler import TorchSampler
from core.training.checkpoints import CheckpointStore
from core.training.learner import GrpoLearner
from tests.commands import Typed
from tests.llama_models import needs_llama, practice_questions, sureness, train_a_little


def _trained(home: Path, name: str) -> Policy:
    """A policy that has learnt something, saved as a node saves it."""
    spec = load_models().get(name)
    policy = load_policy(spec, ADAPTER_SEED)
    learner = GrpoLearner(policy, CheckpointStore(home / "checkpoints" / spec.id))
    train_a_little(policy)
    learner.save(Progress(seed=1, round=7, recipe="sapo"))
    return policy


@needs_llama
@pytest.mark.parametrize(("quant", "rounding", "enough"), [("f16", 0.02, 12), ("q8_0", 0.3, 6)])
@pytest.mark.parametrize("name", ["spark", "ember"])
def test_other_apps_answer_as_our_sampler_does(
    name: str, quant: str, rounding: float, enough: int, tmp_path: Path
) -> None:
    """The exported file in llama.cpp's own high-level API: same tokens in, same greedy text out.

    Asked of all answers in which no token is as close to its rival as ``rounding`` may bring it.
    """
    from llama_cpp import Llama

    policy, out = _trained(tmp_path, name), tmp_path / "out.gguf"
    command = ["export", "--to", "gguf", "--model", name, "--home", str(tmp_path)]
    assert main([*command, "--quant", quant, "--out", str(out)]) == 0
    app = Llama(
        str(out), n_ctx=512, n_threads=1, n_threads_batch=1, flash_attn=False, verbose=False
    )
    asked = practice_questions(20)
    answers = TorchSampler(policy, greedy=True).complete(asked, 1, seed=0)
    compared = 0
    for question, (answer,) in zip(asked, answers, strict=True):
        text = question.prompt.strip() + "\n"
        assert app.tokenize(text.encode(), add_bos=False) == policy.encode_prompt(question.prompt)
        if sureness(policy, question, answer) < rounding:
            continue
        said = app.create_completion(
            text, max_tokens=policy.spec.completion_tokens, temperature=0.0, repeat_penalty=1.0
        )
        assert said["choices"][0]["text"].strip() == answer.text
        compared += 1
    app.close()
    assert compared >= enough


def test_an_untrained_model_can_be_taken_away(typed: Typed, tmp_path: Path) -> None:
    """Before any round it is the base; the words say so, and how large it is."""
    out = tmp_path / "spark"
    told = typed("export", "--to", "merged", "--out", out)
    assert told.code == 0
    assert "Writing Spark before its first round" in told.out
    assert "is ready (4." in told.out
    assert (out / "model.safetensors").is_file()


def test_it_exports_what_was_last_saved(typed: Typed, tmp_path: Path) -> None:
    """The newest checkpoint, of which the words give the round."""
    policy = _trained(tmp_path, "spark")
    out = tmp_path / "adapter"
    assert "after 7 rounds" in typed("export", "--to", "peft", "--out", out).out
    export_policy(policy, ExportRequest("peft", tmp_path / "expected"))
    for name in ("adapter_model.safetensors", "adapter_config.json"):
        assert (out / name).read_bytes() == (tmp_path / "expected" / name).read_bytes()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--to", "peft", "--quant", "q8_0", "--out", "x"], "Only gguf"),
        (["--to", "gguf", "--model", "sparc", "--out", "x"], "Did you mean spark?"),
    ],
)
def test_wrong_wishes_are_one_sentence(words: list[str], sentence: str, typed: Typed) -> None:
    """Said before anything is loaded or written."""
    told = typed("export", *words)
    assert told.code == 2
    assert sentence in told.err


def test_an_existing_file_is_not_replaced_unasked(typed: Typed, tmp_path: Path) -> None:
    """One sentence and wrong usage; with --force it goes through."""
    out = tmp_path / "spark.gguf"
    out.write_text("mine")
    command = ("export", "--to", "gguf", "--out", out)
    told = typed(*command)
    assert told.code == 2
    assert "--force" in told.err
    assert out.read_text() == "mine"
    assert typed(*command, "--force", "--quant", "q8_0").code == 0
    assert out.stat().st_size > 1_000_000


def test_nothing_is_written_where_there_is_no_room(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says how much would be needed."""
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1))
    out = tmp_path / "new" / "spark.gguf"
    told = typed("export", "--to", "gguf", "--out", out)
    assert told.code == 1
    assert "MB are free" in told.err
    assert not out.exists()
