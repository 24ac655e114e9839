import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
from gguf import GGUFReader
from peft import PeftModel
from torch import Tensor, nn
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel

from core.api.models import Form
from core.errors import DiskFullError, ModelError, UsageError
from core.models.catalog.library import MANIFEST, NOTE
from core.models.export import export
from core.models.export.export import ExportRequest, export_policy
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.tasks.skills import BASE_SKILLS
from tests.llama_models import build_model
from tests.naive_policy import merged_weight
from tests.posix import files_no_larger
from tests.tiny_models import disturb_adapter, load_tiny_policy

IDS = torch.tensor([[5, 17, 80, 3, 200, 41]])
FORMS: tuple[Form, ...] = ("gguf", "merged", "peft")


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """A tiny policy that has learnt something."""
    policy = load_tiny_policy(tmp_path_factory.mktemp("tiny"))
    disturb_adapter(policy)
    return policy


def _scores(network: nn.Module) -> Tensor:
    with torch.no_grad():
        scores: Tensor = network(input_ids=IDS).logits
    return scores


def _load(folder: Path) -> PreTrainedModel:
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)


@pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing.:FutureWarning")  # asked by peft
def test_a_peft_adapter_works_on_the_base(policy: Policy, tmp_path: Path) -> None:
    """Loaded by PEFT on the base, it scores as the policy does."""
    export_policy(policy, ExportRequest("peft", tmp_path / "adapter"))
    network = PeftModel.from_pretrained(_load(policy.spec.folder), str(tmp_path / "adapter"))
    assert torch.allclose(_scores(network), _scores(policy.causal_lm), atol=1e-5)


def test_merged_weights_are_the_policy(policy: Policy, tmp_path: Path) -> None:
    """Loaded by transformers alone, with its tokenizer; half precision rounds a little."""
    out = tmp_path / "merged"
    export_policy(policy, ExportRequest("merged", out))
    assert torch.allclose(_scores(_load(out)), _scores(policy.causal_lm), atol=0.05)
    tokenizer = AutoTokenizer.from_pretrained(out)
    assert tokenizer("Calculate 1 + 2.\n").input_ids == policy.encode_prompt("Calculate 1 + 2.")


def test_what_waggle_wrote_about_the_base_stays_with_it(tmp_path: Path) -> None:
    """The digests and skills of the base's weights are not those of the merged ones."""
    policy = load_tiny_policy(tmp_path / "base")
    foreign = {path.name for path in policy.spec.folder.iterdir()}
    for name in (MANIFEST, NOTE, BASE_SKILLS):
        (policy.spec.folder / name).write_text("{}")
    export_policy(policy, ExportRequest("merged", tmp_path / "out"))
    assert {path.name for path in (tmp_path / "out").iterdir()} == foreign


def test_large_weights_are_written_in_shards(
    policy: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a shard is in memory at once, and the index puts them together again."""
    export_policy(policy, ExportRequest("merged", tmp_path / "one"))
    monkeypatch.setattr(export, "_SHARD", 20_000)
    export_policy(policy, ExportRequest("merged", tmp_path / "many"))
    assert len(list((tmp_path / "many").glob("model-*-of-*.safetensors"))) > 3
    assert torch.equal(_scores(_load(tmp_path / "many")), _scores(_load(tmp_path / "one")))


def test_an_untied_head_is_exported_too(tmp_path: Path) -> None:
    """A model with a head of its own keeps it."""
    policy = load_policy(build_model(tmp_path / "m", "qwen3", tie_word_embeddings=False), 0)
    export_policy(policy, ExportRequest("merged", tmp_path / "out"))
    assert torch.allclose(_scores(_load(tmp_path / "out")), _scores(policy.causal_lm), atol=1e-5)


def test_a_gguf_has_the_adapter_folded_in(policy: Policy, tmp_path: Path) -> None:
    """The adapted weight in the file is the policy's base and what it learnt."""
    export_policy(policy, ExportRequest("gguf", tmp_path / "out.gguf"))
    tensors = {t.name: t.data for t in GGUFReader(tmp_path / "out.gguf").tensors}
    expected = merged_weight(policy, "model.layers.0.mlp.up_proj")
    assert torch.allclose(torch.tensor(tensors["blk.0.ffn_up.weight"]).float(), expected, atol=2e-3)


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_replaced_unasked(policy: Policy, tmp_path: Path, form: Form) -> None:
    """What exists stays as it is, until it is said that it may go."""
    out = tmp_path / "out"
    export_policy(policy, ExportRequest(form, out))
    before = out.stat().st_ino
    with pytest.raises(UsageError, match="let it be replaced"):
        export_policy(policy, ExportRequest(form, out))
    assert out.stat().st_ino == before
    export_policy(policy, ExportRequest(form, out, force=True))
    assert out.stat().st_ino != before
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("own", ["config.json", "model.safetensors", "adapter_config.json"])
def test_a_folder_of_something_else_is_never_removed(
    policy: Policy, tmp_path: Path, own: str, form: Form
) -> None:
    """Replacing with a slip of the hand must not cost a novel, whatever else is beside it."""
    out = tmp_path / "work"
    out.mkdir()
    names = {"config.json", "novel.txt", own}
    for name in names:
        (out / name).touch()
    with pytest.raises(UsageError, match="no earlier export"):
        export_policy(policy, ExportRequest(form, out, force=True))
    assert {path.name for path in out.iterdir()} == names


@pytest.mark.parametrize("form", FORMS)
def test_what_lies_beside_the_export_stays(policy: Policy, tmp_path: Path, form: Form) -> None:
    """A person's own folder or file may have the name of a draft; the export is no secret."""
    (tmp_path / "thesis.draft").mkdir()
    (tmp_path / "thesis.draft" / "chapter").touch()
    (tmp_path / "paper.draft").touch()
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    for name in ("thesis", "paper"):
        export_policy(policy, ExportRequest(form, tmp_path / name))
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert len(list(tmp_path.iterdir())) == 4
    plain = "paper.draft" if form == "gguf" else "thesis.draft"
    assert (tmp_path / "thesis").stat().st_mode == (tmp_path / plain).stat().st_mode


@pytest.mark.parametrize("form", ["gguf", "merged"])
def test_what_comes_to_lie_there_meanwhile_stays(
    policy: Policy, tmp_path: Path, form: Form
) -> None:
    """An export takes minutes, and a person goes on with their work."""
    out = tmp_path / "out"

    def work(_: float) -> None:
        out.mkdir(exist_ok=True)
        (out / "chapter").touch()

    with pytest.raises(UsageError, match="exists already"):
        export_policy(policy, ExportRequest(form, out), work)
    assert list(tmp_path.rglob("*")) == [out, out / "chapter"]


class _Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.mark.parametrize("form", FORMS)
def test_a_full_disk_is_seen_before_anything_is_written(
    policy: Policy, tmp_path: Path, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says how much is needed and how much there is."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: _Usage(10, 10, 1_000))
    with pytest.raises(DiskFullError, match="MB are free"):
        export_policy(policy, ExportRequest(form, tmp_path / "new" / "out"))
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize("form", FORMS)
def test_a_place_that_cannot_be_written_is_one_sentence(
    policy: Policy, tmp_path: Path, form: Form
) -> None:
    """A file where a folder should be."""
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        export_policy(policy, ExportRequest(form, tmp_path / "file" / "out"))


@pytest.mark.parametrize("form", FORMS)
def test_a_disk_that_fills_up_meanwhile_is_one_sentence(
    policy: Policy, tmp_path: Path, form: Form
) -> None:
    """Whichever library is writing then, nothing half-written stays."""
    told = r"cannot be written \(.*too large.*another place"
    with files_no_larger(20_000), pytest.raises(UsageError, match=told):
        export_policy(policy, ExportRequest(form, tmp_path / "exports" / "out"))
    assert list((tmp_path / "exports").iterdir()) == []


@pytest.mark.parametrize("form", ["gguf", "merged"])
def test_an_export_that_fails_leaves_nothing(tmp_path: Path, form: Form) -> None:
    """Damaged weights, or a person who cancels: no half file, no draft."""
    spec = build_model(tmp_path / "model")
    policy = load_policy(spec, 0)
    out = tmp_path / "exports" / "out"

    def cancel(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_policy(policy, ExportRequest(form, out), cancel)
    (spec.folder / "model.safetensors").write_bytes(b"12345678")
    with pytest.raises(ModelError):
        export_policy(policy, ExportRequest(form, out))
    assert list(out.parent.iterdir()) == []
