"""What an experiment is, and how it comes back from disk."""

import re
from dataclasses import fields
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.errors import LabError
from core.lab.learning.plans import (
    PLAN,
    Arm,
    ArmRun,
    Setting,
    difference,
    digest_of,
    peer_id,
    plan_of,
    read_plan,
)
from core.rollouts.recipes import SAPO
from tests.tiny_models import build_tiny_model, tiny_spec

SETTING = Setting(("spark",) * 2, rounds=7, learning_rate=1e-4)
RUN = ArmRun(
    SETTING, Arm("wrong 2 of 8 undefended", 4, 4, hostile="wrong", hostile_nodes=2), seed=3
)


def written(folder: Path, plan: bytes) -> Path:
    (folder / PLAN).write_bytes(plan)
    return folder


def test_a_plan_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """All of it, so that a run can be resumed from its folder alone."""
    assert read_plan(written(tmp_path, msgspec.json.encode(plan_of(RUN)))) == plan_of(RUN)


@pytest.mark.parametrize(
    "plan",
    [
        b"",
        b"{}",
        b"\xff",
        b"[1, 2]",
        msgspec.json.encode(RUN)[:-1],
        msgspec.json.encode(RUN).replace(b'"wrong"', b'"rude"'),
        msgspec.json.encode(RUN).replace(b'"rounds":7', b'"rounds":"7"'),
        msgspec.json.encode(RUN).replace(b'"rounds"', b'"colour":"red","rounds"'),
    ],
)
def test_a_damaged_plan_is_told(tmp_path: Path, plan: bytes) -> None:
    """Cut off, of wrong types, with fields that nobody knows."""
    with pytest.raises(LabError, match=f"{PLAN} is damaged"):
        read_plan(written(tmp_path, plan))


def test_a_folder_without_a_plan_is_told(tmp_path: Path) -> None:
    """It may be no folder of the lab at all."""
    with pytest.raises(LabError, match="damaged"):
        read_plan(tmp_path)


def test_a_plan_is_held_against_what_its_names_stand_for_now(tmp_path: Path) -> None:
    """A switch or a starter may have become another; who never noted them is told so, too."""
    plan = plan_of(RUN)
    assert plan.recipes is not None
    assert plan.models is not None
    switches = plan.recipes["sapo"]
    assert set(switches) == {one.name for one in fields(SAPO)}
    assert len(plan.models["spark"]) == 16
    assert difference(plan, RUN) is None
    without = {name: switch for name, switch in switches.items() if name != "probes"}
    for recipe in (switches | {"credit": 1.0}, switches | {"new": False}, without):
        other = replace(plan, recipes={"sapo": recipe})
        assert difference(other, RUN) == "a run of another recipe of the same name"
    other = replace(plan, models={"spark": "0" * 16})
    assert difference(other, RUN) == "a run with other models of the same names"
    assert difference(replace(plan, seed=4), RUN) == "another experiment of the same name"
    older = read_plan(written(tmp_path, msgspec.json.encode(RUN)))
    assert str(difference(older, RUN)).startswith("a run that does not tell its recipe's switches")


def test_nodes_of_several_recipes_are_planned_with_all_of_them() -> None:
    """And a model that nobody made waits for whoever plays it."""
    arm = msgspec.structs.replace(RUN.arm, recipes=("waggle", "waggle-rloo"))
    plan = plan_of(ArmRun(replace(SETTING, models=("spark", "sparc")), arm, 3))
    assert list(plan.recipes or ()) == ["waggle", "waggle-rloo"]
    assert (plan.models or {})["sparc"] == ""


def test_a_model_is_known_by_all_that_a_node_starts_from(tmp_path: Path) -> None:
    """Weights, what it can do at first, and how it is trained; not what people read of it."""
    spec = tiny_spec(build_tiny_model(tmp_path / "one"))
    again = tiny_spec(build_tiny_model(tmp_path / "again"))
    other = tiny_spec(build_tiny_model(tmp_path / "other", seed=1))
    assert digest_of(spec) == digest_of(again) == digest_of(replace(again, title="Another"))
    assert digest_of(other) != digest_of(spec)
    assert digest_of(replace(spec, lora_rank=2 * spec.lora_rank)) != digest_of(spec)
    (tmp_path / "other" / "README.md").write_text("read by people")
    (tmp_path / "again" / "skills.json").write_text("{}")
    assert digest_of(replace(again, title="Asked again")) != digest_of(spec)
    assert digest_of(replace(other, title="Asked again")) == digest_of(other)


@given(st.text("abcXYZ 0123456789/+-.\\:*?", min_size=1), st.integers(0, 2**32 - 1))
def test_the_name_of_a_run_is_a_folder_on_every_system(arm: str, seed: int) -> None:
    """Whatever the arm is called: no slash, blank or capital, and the seed in it."""
    name = ArmRun(SETTING, Arm(arm, 4, 4), seed).name
    assert re.fullmatch(rf"[a-z0-9+-]+-seed{seed}", name)


def test_exams_are_before_the_first_round_and_after_the_last() -> None:
    """And none is twice where the last round is due for one anyway."""
    assert msgspec.structs.replace(SETTING, exam_every=3).exam_rounds == [0, 3, 6, 7]
    assert msgspec.structs.replace(SETTING, exam_every=7).exam_rounds == [0, 7]
    assert msgspec.structs.replace(SETTING, exam_every=50).exam_rounds == [0, 7]
    assert msgspec.structs.replace(SETTING, exam_every=(2, 7, 9)).exam_rounds == [0, 2, 7]


def test_nodes_of_the_lab_are_named_like_real_ones() -> None:
    """64 hexadecimal characters, so that nothing in the engine can tell."""
    names = {peer_id(number) for number in range(20)}
    assert len(names) == 20
    assert all(re.fullmatch(r"[0-9a-f]{64}", name) for name in names)
