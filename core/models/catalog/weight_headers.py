"""Compares the headers of a model's weights with what its configuration asks for.

A file of the right size may still hold the weights of another network, half of them, or the same
name twice; whoever loads it would find that out late, or never.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from core.i18n import translatable
from core.models.catalog.shapes import Architecture

WEIGHTS: Final = re.compile(r"model(-[0-9]{5}-of-[0-9]{5})?\.safetensors", re.ASCII)
"""How transformers names the files of weights."""

SINGLE: Final = "model.safetensors"
DESCRIPTION: Final = (
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "chat_template.jinja",
)
"""Files beside the weights that say what these are, in the order of a model's fingerprint."""

INDEX: Final = "model.safetensors.index.json"

HEAD: Final = "lm_head.weight"
_DTYPES: Final = ("F16", "BF16", "F32")
RECOMPUTED: Final = ".rotary_emb.inv_freq"
"""How names end that older files hold in every layer, and that nobody reads."""

Dimensions = tuple[int, ...]


class WeightsError(Exception):
    """The weights are of no use; its words go on after "it cannot be used:"."""


class _Index(msgspec.Struct, frozen=True):
    """Which file holds which weight, of a model in several files."""

    weight_map: Annotated[dict[str, str], Meta(max_length=100_000)]


def expected_weights(architecture: Architecture) -> dict[str, Dimensions]:
    """Every weight of such a network by name, with its dimensions."""
    shape = architecture.shape
    layer: dict[str, Dimensions] = {
        "input_layernorm.weight": (shape.hidden,),
        "self_attn.q_proj.weight": (shape.queries, shape.hidden),
        "self_attn.k_proj.weight": (shape.keys, shape.hidden),
        "self_attn.v_proj.weight": (shape.keys, shape.hidden),
        "self_attn.o_proj.weight": (shape.hidden, shape.queries),
        "post_attention_layernorm.weight": (shape.hidden,),
        "mlp.gate_proj.weight": (shape.intermediate, shape.hidden),
        "mlp.up_proj.weight": (shape.intermediate, shape.hidden),
        "mlp.down_proj.weight": (shape.hidden, shape.intermediate),
    }
    if architecture.family == "qwen2":
        layer |= {
            "self_attn.q_proj.bias": (shape.queries,),
            "self_attn.k_proj.bias": (shape.keys,),
            "self_attn.v_proj.bias": (shape.keys,),
        }
    if architecture.family == "qwen3":
        layer |= {
            "self_attn.q_norm.weight": (shape.head_dim,),
            "self_attn.k_norm.weight": (shape.head_dim,),
        }
    expected: dict[str, Dimensions] = {
        "model.embed_tokens.weight": (shape.vocabulary, shape.hidden)
    }
    for number in range(shape.layers):
        expected |= {f"model.layers.{number}.{name}": size for name, size in layer.items()}
    expected["model.norm.weight"] = (shape.hidden,)
    if not shape.tied:
        expected[HEAD] = (shape.vocabulary, shape.hidden)
    return expected


def check_index(folder: Path, architecture: Architecture) -> dict[str, str] | None:
    """Which file holds which weight; None where all are to be in one.

    Raises:
        WeightsError: the list is damaged, names other files, or is that of another network.
    """
    try:
        places = msgspec.json.decode((folder / INDEX).read_bytes(), type=_Index).weight_map
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, msgspec.DecodeError, RecursionError) as error:
        raise WeightsError(translatable("the list of its weights is damaged")) from error
    if not all(WEIGHTS.fullmatch(name) for name in places.values()):  # loading follows these names
        raise WeightsError(translatable("the list of its weights names other files"))
    _check_names(places, architecture)
    return places


def check_headers(folder: Path, architecture: Architecture) -> None:
    """Make sure that the files hold every weight of the network once, in its dimensions.

    Raises:
        WeightsError: they do not, or are damaged or cut.
    """
    places = check_index(folder, architecture)
    wanted = {SINGLE} if places is None else set(places.values())
    files = {path.name for path in folder.glob("*.safetensors")}
    if not wanted <= files:
        raise WeightsError(translatable("some of its weights are missing"))
    if files - wanted:  # which of them are loaded would depend on who loads them
        twice = _shown(min(files - wanted))
        raise WeightsError(translatable("its weights are there twice, such as in {}", twice))
    found: dict[str, Dimensions] = {}
    for name in sorted(wanted):
        there = _read_header(folder / name)
        if places is not None and any(places.get(weight) != name for weight in there):
            raise WeightsError(translatable("its weights in {} are not those of their list", name))
        found |= there
    _check_names(found, architecture)
    shape = architecture.shape  # a tied head may be in the files all the same
    expected = expected_weights(architecture) | {HEAD: (shape.vocabulary, shape.hidden)}
    for weight, size in found.items():
        if expected.get(weight, size) != size:
            raise WeightsError(
                translatable("its weight {} is of another size than its configuration says", weight)
            )


def _check_names(found: Iterable[str], architecture: Architecture) -> None:
    names, expected = set(found), set(expected_weights(architecture))
    if expected - names:
        absent = min(expected - names)
        raise WeightsError(translatable("some of its weights are missing, such as {}", absent))
    strange = {n for n in names - expected - {HEAD} if not n.endswith(RECOMPUTED)}
    if strange:
        other = _shown(min(strange))
        raise WeightsError(translatable("its weights are those of another network: {}", other))


def _read_header(path: Path) -> Mapping[str, Dimensions]:
    from safetensors import SafetensorError, safe_open

    found: dict[str, Dimensions] = {}
    try:
        with safe_open(path, framework="np") as file:  # compares the header with the file's size
            for name in file.keys():  # noqa: SIM118 - no mapping
                weight = file.get_slice(name)
                found[name] = tuple(weight.get_shape())
                if weight.get_dtype() not in _DTYPES and not name.endswith(RECOMPUTED):
                    raise WeightsError(
                        translatable(
                            "its weights are stored as {}, and only {} can be used",
                            weight.get_dtype(),
                            ", ".join(_DTYPES),
                        )
                    )
    except (SafetensorError, OSError) as error:
        raise WeightsError(translatable("its weights in {} are damaged", path.name)) from error
    return found


def _shown(name: str) -> str:
    """A stranger's name, short and without control characters."""
    return repr(name[:80])
