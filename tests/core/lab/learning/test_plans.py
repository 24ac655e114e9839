"""What an experiment is, and how it comes back from disk."""

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import LabError
from core.lab.learning.plans import PLAN, Arm, ArmRun, Setting, peer_id, read_plan

SETTING = Setting(("spark",) * 2, rounds=7, learning_rate=1e-4)
RUN = ArmRun(
    SETTING, Arm("wrong 2 of 8 undefended", 4, 4, hostile="wrong", hostile_nodes=2), seed=3
)


def written(folder: Path, plan: bytes) -> Path:
    (folder / PLAN).write_bytes(plan)
    return folder


def test_a_plan_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """All of it, so that a run can be resumed from its folder alone."""
    assert read_plan(written(tmp_path, msgspec.json.encode(RUN))) == RUN


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
