"""Models of random weights: of a true size where nobody wants to download the true one."""

import shutil
from typing import IO, Final

import msgspec
import torch

from core.bench.contest import timed
from core.bench.job import BenchJob
from core.bench.racing import serve
from core.models.catalog.catalog import ModelSpec
from core.models.download.listing import TOKENIZER
from core.paths import RESOURCES

ROPE_THETA: Final = 1e6


def build_random_model(spec: ModelSpec, device: str = "cpu") -> None:
    """Write random weights of the shape of ``spec`` in half precision, with spark's tokenizer.

    The tokenizer has fewer tokens than the vocabulary: what is drawn beyond it has no text. They
    are drawn on ``device``: a graphics card has half a billion in a moment.
    """
    from transformers import AutoConfig, AutoModelForCausalLM

    shape = spec.shape
    config = AutoConfig.for_model(
        spec.family,
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        intermediate_size=shape.intermediate,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        head_dim=shape.head_dim,
        tie_word_embeddings=shape.tied,
        rope_theta=ROPE_THETA,
        max_position_embeddings=32_768,
        bos_token_id=None,
        eos_token_id=0,
        pad_token_id=0,
    )
    torch.manual_seed(0)
    with torch.device(device):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    model.save_pretrained(spec.folder)
    for name in TOKENIZER:
        shutil.copy(RESOURCES / "models" / "spark" / name, spec.folder)
    (spec.folder / "done").touch()


def narrow(spec: ModelSpec) -> ModelSpec:
    """A model of the same family that any computer has in a moment; as many layers as show all."""
    shape = msgspec.structs.replace(
        spec.shape,
        layers=2,
        hidden=64,
        heads=4,
        kv_heads=2,
        head_dim=16,
        intermediate=128,
        vocabulary=1_536,  # spark's tokenizer
    )
    return msgspec.structs.replace(spec, shape=shape)


def race(job: BenchJob, pipe: IO[bytes]) -> None:
    """Build the job's model, once a lap; the work is its parameters."""

    def build() -> float:
        build_random_model(job.spec, device=job.device or "cpu")
        return float(job.spec.parameters)

    serve(timed(build), pipe)
