"""A run is the same when it is played again, and when it is ended and resumed."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest
import torch

from core.decks.library import DeckLibrary
from core.errors import DeckError, LabError
from core.lab.learning.plans import PLAN, Arm, ArmRun, plan_of
from core.lab.learning.records import DONE, EXAMS, ROUNDS, Record
from core.lab.learning.results import read_runs
from core.lab.learning.run import STATE, play, practice, specialties
from core.paths import Home
from core.rollouts.types import TaskId
from core.tasks.skills import Skills
from tests.core.lab.learning.small import CATALOG, RUN, player, rows
from tests.swarm_decks import deck_data

ADAPTING = Arm("adaptive", 3, 3, "waggle-adaptive", group_size=4)
ALONE = Arm("8/0 refilled", 2, 1, source="self")
LED = Arm("led", 2, 2, "waggle", ahead=1)
LIES = Arm("wrong", 2, 2, "waggle", hostile="wrong", hostile_nodes=2, defended=False)


class EndedError(Exception):
    """Somebody ended the process here."""


def nobody(_: int) -> None:
    """Nobody listens."""


def ended_after(number: int) -> Callable[[int], None]:
    def report(played: int) -> None:
        if played == number:
            raise EndedError

    return report


def played(arm: Arm, folder: Path, *, ended: tuple[int, ...] = (), seed: int = 1) -> Path:
    """The folder of a run that was ended after those rounds, each time started again."""
    setting = msgspec.structs.replace(RUN.setting, head_start=3 if arm.ahead else 0)
    run = ArmRun(setting, arm, seed)
    for number in ended:
        with pytest.raises(EndedError):
            asyncio.run(player(run, folder).play(ended_after(number)))
    asyncio.run(player(run, folder).play(nobody))
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nobody ended, and copies of its state after every round."""
    folder = tmp_path_factory.mktemp("whole")

    def keep(number: int) -> None:
        if (folder / STATE).exists():
            shutil.copy(folder / STATE, folder / f"{number}-{STATE}")

    asyncio.run(player(RUN, folder).play(keep))
    return folder


def test_a_run_that_was_ended_comes_out_the_same(whole: Path, tmp_path: Path) -> None:
    """To the byte: before anything was saved, right after a save, and between two."""
    assert rows(played(RUN.arm, tmp_path, ended=(1, 2, 3))) == rows(whole)


@pytest.mark.parametrize(
    "arm", [ADAPTING, ALONE, LIES, LED], ids=["adaptive", "alone", "lies", "led"]
)
def test_so_do_nodes_that_adapt_make_up_groups_are_under_attack_or_had_a_head_start(
    arm: Arm, tmp_path: Path
) -> None:
    """What the nodes' surroundings do is as repeatable as the nodes."""
    unbroken = played(arm, tmp_path / "whole")
    assert rows(played(arm, tmp_path / "ended", ended=(3,))) == rows(unbroken)


def test_threads_that_others_left_change_nothing(whole: Path, tmp_path: Path) -> None:
    """A run is one thread wherever it is played, so its last digits are always the same."""
    torch.set_num_threads(4)
    assert rows(played(RUN.arm, tmp_path)) == rows(whole)


def test_another_seed_is_another_run(whole: Path, tmp_path: Path) -> None:
    """Or seeds would tell nothing about chance."""
    assert rows(played(RUN.arm, tmp_path, seed=2))[0] != rows(whole)[0]


def test_rows_that_were_written_before_the_state_are_made_again(
    whole: Path, tmp_path: Path
) -> None:
    """A crash between the two leaves tables that are ahead."""
    ahead = shutil.copytree(whole, tmp_path / "ahead")
    (ahead / f"2-{STATE}").replace(ahead / STATE)
    assert rows(played(RUN.arm, ahead)) == rows(whole)


@pytest.mark.parametrize(("name", "column"), [(EXAMS, "gain"), (ROUNDS, "entropy")])
def test_tables_that_an_older_lab_began_are_not_gone_on_with(
    whole: Path, tmp_path: Path, name: str, column: str
) -> None:
    """It is said at once, and not when the next rows do not fit beneath them."""
    older = shutil.copytree(whole, tmp_path / "older")
    (older / f"4-{STATE}").replace(older / STATE)
    table = Record(older / name).read()
    Record(older / name).write([{n: v for n, v in row.items() if n != column} for row in table])
    with pytest.raises(LabError, match=f"{name} was begun by another release"):
        played(RUN.arm, older)


def test_a_run_that_lacks_but_the_last_word_is_not_played_again(
    whole: Path, tmp_path: Path
) -> None:
    """It was ended between its last save and the end."""
    told: list[int] = []
    ready = shutil.copytree(whole, tmp_path / "ready")
    asyncio.run(player(RUN, ready).play(told.append))
    assert told == []
    assert rows(ready) == rows(whole)


@pytest.mark.parametrize("name", [ROUNDS, EXAMS])
def test_a_run_without_its_rows_is_not_resumed(name: str, whole: Path, tmp_path: Path) -> None:
    """Hours later it would turn out to be worthless."""
    hurt = shutil.copytree(whole, tmp_path / "hurt")
    (hurt / f"2-{STATE}").replace(hurt / STATE)
    (hurt / name).unlink()
    with pytest.raises(LabError, match=f"{name} is damaged"):
        played(RUN.arm, hurt)


def test_the_real_judge_gives_the_same_rows_and_a_whole_folder(whole: Path, tmp_path: Path) -> None:
    """What is left is what ``results`` reads; the state, which is large, is gone."""
    folder = tmp_path / RUN.name
    folder.mkdir()
    told: list[int] = []
    play(RUN, folder, told.append)
    assert told == [1, 2, 3, 4, 5]
    assert {path.name for path in folder.iterdir()} == {ROUNDS, EXAMS, DONE}
    assert rows(folder) == rows(whole)
    (folder / PLAN).write_bytes(msgspec.json.encode(plan_of(RUN)))
    (result,) = read_runs(tmp_path, [RUN])
    assert result.rewards.shape == (5, 2)
    assert list(result.exam_rounds) == [0, 2, 4, 5]
    assert result.tasks == tuple(specialties(CATALOG))


def test_a_deck_is_practised_and_nothing_else(tmp_path: Path) -> None:
    """It lies in the library beside the run; without it the run has nothing to practise."""
    deck = DeckLibrary(Home(tmp_path).decks).install(deck_data())
    setting = msgspec.structs.replace(
        RUN.setting, models=("spark",), practice="everything", kinds=(deck.task,)
    )
    run = ArmRun(setting, Arm("alone", 3, 0, source="nobody", levels="automatic"), seed=1)
    folder = tmp_path / run.name
    folder.mkdir()
    play(run, folder, nobody)
    (folder / PLAN).write_bytes(msgspec.json.encode(plan_of(run)))
    (result,) = read_runs(tmp_path, [run])
    assert result.cells == ((TaskId(deck.task), 1),)
    assert all(row[deck.task] == row["reward"] for row in Record(folder / ROUNDS).read())
    elsewhere = tmp_path / "elsewhere" / run.name
    elsewhere.mkdir(parents=True)
    with pytest.raises(DeckError, match="no deck"):
        play(run, elsewhere, nobody)


def test_who_is_ahead_has_moved_before_the_first_round(tmp_path: Path) -> None:
    """It alone, and on other puzzles than those that come then; nothing of it is in the tables."""
    played(LED, tmp_path / "led")
    played(msgspec.structs.replace(LED, ahead=0), tmp_path / "plain")
    led, plain = (Record(tmp_path / name / ROUNDS).read() for name in ("led", "plain"))
    assert led[0]["entropy"] != plain[0]["entropy"]
    assert len(led) == len(plain)


def test_specialists_practise_kinds_in_turn() -> None:
    """Three of nine each, so that three nodes know them all between them."""
    run = ArmRun(RUN.setting, msgspec.structs.replace(RUN.arm, tasks_each=3), seed=1)
    chosen = practice(run, CATALOG)
    drawn = (chosen(n, Skills(CATALOG)).draw(9, Random(1)) for n in range(4))
    kinds = [{key.task for key in keys} for keys in drawn]
    assert [len(one) for one in kinds] == [3, 3, 3, 3]
    assert set.union(*kinds[:3]) == set(specialties(CATALOG))
    assert kinds[3] == kinds[0]


def test_gains_are_told_since_the_first_exam(whole: Path) -> None:
    """Of each node by itself; in the first one nothing is gained, for sure."""
    table = Record(whole / EXAMS).read()
    first = {row["node"]: float(row["score"]) for row in table[:2]}
    for row in table:
        gained = float(row["score"]) - first[row["node"]]
        assert float(row["gain"]) == pytest.approx(gained, abs=1e-5)
    assert {row["gain_error"] for row in table[:2]} == {"0"}


def test_rows_tell_what_a_round_cost_and_brought(whole: Path) -> None:
    """Own groups and others', tokens drawn and trained, and the reward of each task that came."""
    table = Record(whole / ROUNDS).read()
    assert {row["tried"] for row in table} == {"3"}
    assert all(int(row["useful_own"]) <= 3 and int(row["useful_swarm"]) <= 3 for row in table)
    for row in table:
        by_task = [float(row[task]) for task in specialties(CATALOG) if row[task]]
        assert len(by_task) == 3, "three questions, of different tasks"
        assert sum(by_task) / 3 == pytest.approx(float(row["reward"]), abs=1e-5)
        assert int(row["generated_tokens"]) >= 3 * RUN.group_size
        trained = int(row["useful_own"]) + int(row["useful_swarm"]) > 0
        assert (int(row["trained_tokens"]) > 0) == trained
        assert (float(row["gradient"]) > 0) == trained
    assert float(table[0]["heard"]) == 0, "the first node of the first round meets nobody"
    assert sum(int(row["useful_swarm"]) for row in table) > 0


def test_the_paper_trains_on_nine_tasks() -> None:
    """And so does the lab."""
    assert len(specialties(CATALOG)) == 9
