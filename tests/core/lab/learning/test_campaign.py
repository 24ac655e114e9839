"""Many runs at a time, in processes that end with the campaign."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic

import msgspec
import psutil
import pytest
from filelock import FileLock

from core.errors import LabError, UsageError
from core.lab.learning.campaign import LOG, CampaignProgress, WorkerPool, conduct
from core.lab.learning.plans import PLAN, Arm, ArmRun, Setting, plan_of, read_plan
from core.lab.learning.records import DONE, ROUNDS
from core.storage.files import DRAFT_SUFFIX
from tests.core.lab.learning import fake_worker

ROOT = Path(__file__).parents[4]
COMMAND = (sys.executable, fake_worker.__file__)
SETTING = Setting(("spark",), rounds=5, learning_rate=1e-4)


def runs(*arms: str, seeds: int = 1) -> list[ArmRun]:
    return [ArmRun(SETTING, Arm(arm, 4, 4), seed) for seed in range(1, seeds + 1) for arm in arms]


def campaign(root: Path, these: list[ArmRun], workers: int = 2) -> list[tuple[int, int]]:
    """Play ``these``: rounds finished and played, whenever they were told."""
    told: list[tuple[int, int]] = []

    def report(progress: CampaignProgress) -> None:
        told.append((progress.finished, progress.played))

    last = asyncio.run(conduct(these, root, WorkerPool(workers, COMMAND), report))
    assert told[-1] == (last.finished, last.played)
    return told


def events(root: Path) -> list[tuple[str, str, int]]:
    """What the workers did, in order: word, run and process."""
    lines = (root / "events").read_text().split("\n")[:-1]
    words = [line.split() for line in lines]
    return [(word, run, int(pid)) for word, run, pid in words]


def test_every_run_is_played_in_a_folder_with_its_plan(tmp_path: Path) -> None:
    """All rounds of all of them are told, one by one, as both played and finished."""
    these = runs("4/4", "8/0", seeds=2)
    told = campaign(tmp_path, these)
    assert told[-1] == (20, 20)
    assert {(played, played) for played in range(1, 21)} <= set(told)
    for run in these:
        assert read_plan(tmp_path / run.name) == plan_of(run)
        assert (tmp_path / run.name / DONE).exists()


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_only_so_many_are_played_at_a_time(tmp_path: Path, workers: int) -> None:
    """And they begin in the order in which they were given."""
    these = runs("4/4", "8/0", "6/2", seeds=2)
    campaign(tmp_path, these, workers)
    running = most = 0
    for word, _, _ in events(tmp_path):
        running += 1 if word == "begin" else -1
        most = max(most, running)
    assert most <= workers
    if workers == 1:
        begun = [run for word, run, _ in events(tmp_path) if word == "begin"]
        assert begun == [run.name for run in these]


def test_what_is_finished_is_not_played_again(tmp_path: Path) -> None:
    """The second time no process is started, and all counts as done at once."""
    these = runs("4/4", "8/0")
    campaign(tmp_path, these)
    before = events(tmp_path)
    assert campaign(tmp_path, these)[-1] == (10, 0)
    assert events(tmp_path) == before
    assert campaign(tmp_path, [*these, *runs("6/2")])[-1] == (15, 5)


def test_what_was_played_before_counts_as_done_but_not_as_speed(tmp_path: Path) -> None:
    """A run that goes on at round 4 of 5, and one that had only to be closed."""
    assert campaign(tmp_path / "one", runs("half"))[-1] == (5, 2)
    assert campaign(tmp_path / "two", runs("ready"))[-1] == (5, 0)


def test_another_experiment_in_the_folder_is_refused(tmp_path: Path) -> None:
    """Before anything is played, also where only the last run differs; and the plan stays."""
    these = runs("4/4", "8/0")
    campaign(tmp_path, these)
    before = events(tmp_path)
    changed = msgspec.structs.replace(SETTING, learning_rate=1e-3)
    others = [*runs("6/2"), ArmRun(changed, these[1].arm, 1)]
    with pytest.raises(UsageError, match=r"holds another experiment.*--out"):
        campaign(tmp_path, others)
    assert events(tmp_path) == before
    assert read_plan(tmp_path / these[1].name) == plan_of(these[1])


def test_two_campaigns_do_not_play_in_one_folder(tmp_path: Path) -> None:
    """They may have runs in common; the second one is told, and plans nothing.

    The lock goes with the first.
    """
    with FileLock(tmp_path / "playing.lock", timeout=0), pytest.raises(UsageError, match="Another"):
        campaign(tmp_path, runs("4/4"))
    assert [path.name for path in tmp_path.iterdir()] == ["playing.lock"]
    assert campaign(tmp_path, runs("4/4"))[-1] == (5, 5)


def test_a_plan_of_which_nothing_was_played_is_replaced(tmp_path: Path) -> None:
    """Whoever mistyped a model need not tidy up before the next try."""
    (run,) = runs("4/4")
    folder = tmp_path / run.name
    folder.mkdir()
    changed = ArmRun(msgspec.structs.replace(SETTING, models=("sparc",)), run.arm, run.seed)
    (folder / PLAN).write_bytes(msgspec.json.encode(changed))
    (folder / LOG).write_text("No starter model is called sparc.")
    assert campaign(tmp_path, [run])[-1] == (5, 5)
    assert read_plan(folder) == plan_of(run)


def test_a_plan_that_was_cut_off_is_written_again(tmp_path: Path) -> None:
    """A campaign that is killed while it plans leaves a draft, and no plan that was damaged."""
    (run,) = runs("4/4")
    folder = tmp_path / run.name
    folder.mkdir()
    (folder / PLAN).with_suffix(DRAFT_SUFFIX).write_text("{")
    assert campaign(tmp_path, [run])[-1] == (5, 5)
    assert read_plan(folder) == plan_of(run)


def test_a_damaged_plan_is_told(tmp_path: Path) -> None:
    """Nobody knows what was played there."""
    (run,) = runs("4/4")
    campaign(tmp_path, [run])
    (tmp_path / run.name / PLAN).write_text("{")
    with pytest.raises(LabError, match=f"{PLAN} is damaged"):
        campaign(tmp_path, [run])


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """Here because it is a file."""
    (tmp_path / "out").touch()
    with pytest.raises(LabError, match="--out"):
        campaign(tmp_path / "out", runs("4/4"))


@pytest.mark.parametrize("arms", [("fails",), ("fails", "fails again"), ("hangs", "fails")])
def test_the_words_of_a_run_that_fails_reach_the_caller(
    tmp_path: Path, arms: tuple[str, ...]
) -> None:
    """Its last ones, as one plain error, whatever the others do; nobody is left running."""
    these = [ArmRun(SETTING, Arm(arm.split()[0], 4, 4), seed) for seed, arm in enumerate(arms)]
    with pytest.raises(LabError) as caught:
        campaign(tmp_path, these)
    words = str(caught.value)
    assert "fails-seed" in words
    assert "The model is broken. Install it again. All that it said is in" in words
    assert LOG in words
    assert not any(psutil.pid_exists(pid) for _, _, pid in events(tmp_path))


@pytest.mark.skipif(sys.platform == "win32", reason="there a kill is an exit code like others")
def test_a_run_that_is_killed_is_told_apart(tmp_path: Path) -> None:
    """What its process said last has nothing to do with it."""
    with pytest.raises(LabError, match="ended from outside, perhaps because the memory ran out"):
        campaign(tmp_path, runs("dies"))


def test_a_campaign_that_failed_goes_on_where_it_was(tmp_path: Path) -> None:
    """What was finished before stays so; the folder of the run that failed is taken up again."""
    good, bad = runs("4/4", "fails")
    with pytest.raises(LabError):
        campaign(tmp_path, [good, bad], workers=1)
    assert (tmp_path / good.name / DONE).exists()
    assert (tmp_path / bad.name / ROUNDS).exists()
    with pytest.raises(LabError):
        campaign(tmp_path, [good, bad], workers=1)
    begun = [run for word, run, _ in events(tmp_path) if word == "begin"]
    assert begun == [good.name, bad.name, bad.name]


@pytest.mark.skipif(sys.platform == "win32", reason="its Ctrl-C goes to a whole console")
def test_ctrl_c_ends_the_children(tmp_path: Path) -> None:
    """Also where only the parent hears of it, as from kill -INT."""
    (tmp_path / "out").mkdir()
    script = (
        "import asyncio, sys; from pathlib import Path\n"
        "from tests.core.lab.learning.test_campaign import COMMAND, WorkerPool, conduct, runs\n"
        "tell = lambda progress: print(progress.played, flush=True)\n"
        "these = runs('hangs', seeds=2)\n"
        f"root, pool = Path({str(tmp_path / 'out')!r}), WorkerPool(2, COMMAND)\n"
        "asyncio.run(conduct(these, root, pool, tell))\n"
    )
    with subprocess.Popen(  # noqa: S603 - the lines above
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as parent:
        try:
            assert parent.stdout is not None
            assert parent.stdout.readline() + parent.stdout.readline() == b"1\n2\n"
            children = [pid for _, _, pid in events(tmp_path / "out")]
            assert all(psutil.pid_exists(pid) for pid in children)
            parent.send_signal(signal.SIGINT)
            _, errors = parent.communicate(timeout=60)
        finally:
            parent.kill()  # or a failure would wait for it forever
    assert errors.rstrip().endswith(b"KeyboardInterrupt")
    assert len(children) == 2
    assert not any(psutil.pid_exists(pid) for pid in children)


def test_speed_is_of_now_and_the_time_left_of_all() -> None:
    """30 rounds in a minute, and 40 of 100 left: 80 seconds."""
    progress = CampaignProgress(100, began=monotonic() - 60, finished=60, played=30)
    assert progress.rounds_per_minute == pytest.approx(30, rel=0.01)
    assert progress.left_s == pytest.approx(80, rel=0.01)


def test_before_the_first_round_nothing_is_foretold() -> None:
    """Nor where all that is done was done before."""
    assert CampaignProgress(100).left_s is None
    assert CampaignProgress(100, finished=50).left_s is None
    assert CampaignProgress(100).rounds_per_minute == 0
