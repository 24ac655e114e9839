"""What can be said about a model's folder without loading it."""

import json
import tempfile
from pathlib import Path

import pytest

from core.errors import BusyError, ModelError
from core.models.catalog.inspection import (
    MIN_CONTEXT,
    architecture_of,
    check_description,
    check_weights,
    derive_spec,
)
from tests.broken_tokenizers import BROKEN
from tests.chat_templates import CHATML
from tests.tiny_models import FAMILIES, Family, build_tiny_model, tiny_spec

REPO = "someone/Tiny-Model"


def configure(folder: Path, name: str = "config.json", **changes: object) -> None:
    path = folder / name
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_good_model_passes(tmp_path: Path, family: Family) -> None:
    """Its description, its weights, and all that follows from them."""
    folder = build_tiny_model(tmp_path, family)
    spec = derive_spec(REPO, folder)
    assert (spec.family, spec.chat, spec.context) == (family, False, 512)
    assert 0 < spec.completion_tokens < spec.context
    check_description(spec)
    check_weights(spec)


def test_a_template_makes_it_a_chat_model(tmp_path: Path) -> None:
    """And the template is tried before the weights are fetched."""
    folder = build_tiny_model(tmp_path)
    configure(folder, "tokenizer_config.json", chat_template=CHATML)
    assert derive_spec(REPO, folder).chat
    configure(folder, "tokenizer_config.json", chat_template="{{ [1]|slice(10**10)|list }}")
    with pytest.raises(ModelError, match="its chat template is of no use: it"):
        check_description(derive_spec(REPO, folder))


def test_what_cannot_be_tried_out_now_may_be_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk says nothing about a tokenizer, and nobody is sent to another model."""
    folder = build_tiny_model(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", "/no/such/folder")
    with pytest.raises(BusyError, match=r"now: .*cannot be tried out .* Try again later\."):
        check_description(derive_spec(REPO, folder))


def test_a_template_that_leaves_no_room_is_refused(tmp_path: Path) -> None:
    """Every question would be too long; the same words in a longer context are fine."""
    folder = build_tiny_model(tmp_path)
    wordy = "{{ '\u00e9' * 100 }}" + CHATML
    configure(folder, "tokenizer_config.json", chat_template=wordy)
    with pytest.raises(ModelError, match=r"leaves \d+ of 512 tokens .* take 256\. Choose another"):
        check_description(derive_spec(REPO, folder))
    configure(folder, max_position_embeddings=1024)
    check_description(derive_spec(REPO, folder))


@pytest.mark.parametrize("context", [1, 255])
def test_a_model_that_reads_next_to_nothing_is_refused(tmp_path: Path, context: int) -> None:
    """Neither a puzzle nor an answer would fit in."""
    folder = build_tiny_model(tmp_path)
    configure(folder, max_position_embeddings=context)
    with pytest.raises(ModelError, match=f"reads no more than {context} tokens"):
        derive_spec(REPO, folder)


def test_the_shortest_context_leaves_room_for_both(tmp_path: Path) -> None:
    """Half for the question, half for the answer."""
    folder = build_tiny_model(tmp_path)
    configure(folder, max_position_embeddings=MIN_CONTEXT)
    spec = derive_spec(REPO, folder)
    assert spec.prompt_tokens == spec.completion_tokens == MIN_CONTEXT // 2


def test_a_list_of_weights_is_looked_at_before_the_weights(tmp_path: Path) -> None:
    """It is small, and they are large; even brackets without end are only a damaged list."""
    folder = build_tiny_model(tmp_path)
    (folder / "model.safetensors").unlink()
    index = folder / "model.safetensors.index.json"
    spec = derive_spec(REPO, folder)
    for content, words in (
        ("[" * 200_000, "the list of its weights is damaged"),
        ('{"weight_map": {"a": "model.safetensors"}}', "some of its weights are missing, such as"),
        ('{"weight_map": {"a": "../x.safetensors"}}', "names other files"),
    ):
        index.write_text(content)
        with pytest.raises(ModelError, match=words):
            check_description(spec)


def test_a_tokenizer_that_breaks_is_refused(tmp_path: Path) -> None:
    """Where it can do no harm, and in a sentence."""
    folder = build_tiny_model(tmp_path)
    (folder / "tokenizer.json").write_text(json.dumps(BROKEN["pieces of no length"]))
    with pytest.raises(ModelError, match=r"its tokenizer cannot read every text\. Choose another"):
        check_description(derive_spec(REPO, folder))


def test_a_token_beyond_the_embedding_is_refused(tmp_path: Path) -> None:
    """As many tokens as there are rows, and one of them far beyond: the first text would fail."""
    folder = build_tiny_model(tmp_path)
    words = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]
    words["vocab"][max(words["vocab"], key=lambda word: words["vocab"][word])] = 5_000
    configure(folder, "tokenizer.json", model=words)
    with pytest.raises(ModelError, match="its tokenizer belongs to another model"):
        check_description(derive_spec(REPO, folder))


def test_another_family_than_expected_is_refused(tmp_path: Path) -> None:
    """The entry of the catalogue would describe another model."""
    folder = build_tiny_model(tmp_path, "qwen2")
    with pytest.raises(ModelError, match="of the family qwen2, not llama"):
        check_description(tiny_spec(folder, "llama"))


def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    """The configuration is what memory was estimated from."""
    folder = build_tiny_model(tmp_path)
    configure(folder, intermediate_size=95)
    with pytest.raises(ModelError, match="another size than its configuration says"):
        check_weights(derive_spec(REPO, folder))


def test_a_missing_configuration_is_told(tmp_path: Path) -> None:
    """One sentence, with the name that was typed."""
    with pytest.raises(ModelError, match=f"{REPO} cannot be used: its configuration is missing"):
        architecture_of(tmp_path, REPO)
