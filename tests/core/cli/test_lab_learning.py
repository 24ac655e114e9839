"""``waggle lab table | growth | aha | attack`` and the others, from the command line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import structs

from core.cli.commands import build_parser
from core.cli.lab_learning import _words
from core.cli.main import main
from core.decks.library import DeckLibrary
from core.lab.learning import experiments
from core.lab.learning.campaign import CampaignProgress
from core.lab.learning.offers import OFFERS, Offer
from core.lab.learning.plans import EVERY_LEVEL, Setting
from core.lab.starters import starter
from core.paths import Home
from core.services.decks import DeckWish, draft_of_file
from tests.commands import Typed
from tests.core.lab.learning.invented import leave

SETTING = Setting(("spark", "ember"), rounds=5, learning_rate=1e-4)
COMMAND = (
    *("lab", "table", "--arms", "4/4", "2/6", "--rounds", "5", "--rate", "1e-4"),
    *("--seeds", "1", "2", "1", "--models", "spark", "ember"),
)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A folder in which all runs of ``COMMAND`` are finished."""
    arms = experiments.table(SETTING).only(["4/4", "2/6"])
    leave(arms.runs((1, 2)), tmp_path / "out")
    return tmp_path / "out"


def test_what_came_out_is_printed(played: Path, typed: Typed) -> None:
    """The page that lies in the folder; a seed that is named twice counts once."""
    told = typed(*COMMAND, "--out", played)
    assert told.code == 0
    assert told.out.strip() == (played / "table" / "summary.md").read_text("utf-8").strip()
    assert "Seeds: 1, 2." in told.out


def test_it_is_printed_as_json(played: Path, typed: Typed) -> None:
    """An entry for each arm, with intervals, and nothing else."""
    first, *others = json.loads(typed(*COMMAND, "--out", played, "--json").out)
    assert first["name"] == "8/0"
    assert first["useful_swarm"] is None, "it heard nobody"
    assert [arm["name"] for arm in others] == ["4/4", "2/6"]
    gain = others[0]["reward"]["gain"]
    assert gain["low"] <= gain["mean"] <= gain["high"]


def test_arms_are_compared_with_the_one_that_is_named(played: Path, typed: Typed) -> None:
    """It comes first; one that is not there is wrong usage."""
    against = (*COMMAND, "--out", played, "--against")
    compared = json.loads(typed(*against, "4/4", "--json").out)
    assert [arm["name"] for arm in compared] == ["4/4", "2/6"]
    assert compared[0]["reward"]["difference"]["mean"] == 0
    told = typed(*against, "4/5")
    assert told.code == 2
    assert "No arm is called 4/5" in told.err


def test_other_levels_are_another_exam(tmp_path: Path, typed: Typed) -> None:
    """Finished runs on levels 2 and 3 are those that are asked for, in any order."""
    setting = structs.replace(SETTING, levels=(2, 3))
    leave(experiments.table(setting).only(["4/4", "2/6"]).runs((1, 2)), tmp_path)
    told = typed(*COMMAND, "--levels", "3", "2", "--out", tmp_path)
    assert told.code == 0, told.err
    assert "level 2, 3," in told.out


@pytest.fixture
def decks(tmp_path: Path) -> list[Path]:
    """Two tables, and the finished runs of an experiment on each."""
    found = []
    for name in ("sums", "more sums"):
        path = tmp_path / f"{name}.csv"
        rows = (f"What is {n} + {len(name)}?,{n + len(name)}" for n in range(40))
        path.write_text("\n".join(["question,answer", *rows]), encoding="utf-8")
        installed = draft_of_file(path, DeckWish(name=name)).installed
        setting = Setting(
            ("spark",),
            rounds=5,
            learning_rate=None,
            levels=EVERY_LEVEL,
            practice="everything",
            kinds=(installed.task,),
            exam_puzzles=300,
        )
        (tmp_path / "out").mkdir(exist_ok=True)
        leave(experiments.decks(setting).runs((1,)), tmp_path / "out" / name)
        found.append(path)
    return found


def test_every_deck_is_an_experiment_by_itself(decks: list[Path], typed: Typed) -> None:
    """In a folder of its own, in which the deck is kept, too; one page after the other."""
    out = decks[0].parent / "out"
    command = ("lab", "decks", "--rounds", "5", "--seeds", "1", "--deck", *decks, "--out", out)
    told = typed(*command)
    assert told.code == 0, told.err
    assert [line for line in told.out.splitlines() if line.startswith("# ")] == [
        "# What is learnt of “sums”?",
        "# What is learnt of “more sums”?",
    ]
    assert all(len(DeckLibrary(Home(out / deck.stem).decks).decks()) == 1 for deck in decks)
    both = json.loads(typed(*command, "--json").out)
    assert [[arm["name"] for arm in arms] for arms in both] == [["alone", "teacher"]] * 2


def test_a_deck_that_has_changed_is_another_experiment(decks: list[Path], typed: Typed) -> None:
    """Its results are not mixed with those of the deck as it was."""
    out = decks[0].parent / "out"
    decks[0].write_text("question,answer\n1 + 1?,2\n1 + 2?,3\n", encoding="utf-8")
    told = typed("lab", "decks", "--rounds", "5", "--seeds", "1", "--deck", decks[0], "--out", out)
    assert told.code == 2
    assert "Choose another folder with --out" in told.err


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.name)
def test_every_experiment_can_be_played_without_further_words(offer: Offer) -> None:
    """With models that there are, three seeds at least, and in a folder of the lab."""
    arguments = build_parser().parse_args(["lab", offer.name])
    assert all(starter(model).id == model for model in arguments.models)
    assert arguments.out.parts[0] == "waggle-lab"
    assert arguments.seeds[:3] == [1, 2, 3]


@pytest.mark.parametrize(
    "wrong",
    ["--rounds 0", "--seeds", "--seeds -1", "--workers none", "--models", "--levels 0"]
    + [f"--rate {rate}" for rate in ("0", "1.5", "nan", "fast")],
)
def test_nonsense_is_wrong_usage(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is played or written."""
    with pytest.raises(SystemExit) as ended:
        main(["lab", "table", *wrong.split()])
    assert ended.value.code == 2
    assert wrong.split(maxsplit=1)[0] in capsys.readouterr().err


def test_progress_is_told_in_words() -> None:
    """Rounds, speed, and the time left once there is one."""
    assert str(_words(CampaignProgress(2_400))) == "0 of 2,400 rounds, 0 a minute"
    progress = CampaignProgress(2_400, finished=1_200, played=600)
    progress.began -= 600
    assert str(_words(progress)) == "1,200 of 2,400 rounds, 60 a minute, 20 min left"


def test_asking_for_help_loads_no_numbers() -> None:
    """The command line starts at once."""
    code = "import sys, core.cli.lab; sys.exit('torch' in sys.modules or 'numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - the line above


@pytest.mark.endurance
def test_a_small_experiment_is_played_from_end_to_end(typed: Typed, tmp_path: Path) -> None:
    """Real processes, real models; the second time nothing is played and the same comes out."""
    out = tmp_path / "out"
    command = ("lab", "mixed", "--rounds", "3", "--seeds", "1", "--models", "spark", "ember")
    first = typed(*command, "--out", out, "--json")
    assert first.code == 0
    logs = {path: path.stat().st_mtime_ns for path in out.glob("*/log.txt")}
    assert len(logs) == 3
    assert json.loads(typed(*command, "--out", out, "--json").out) == json.loads(first.out)
    assert logs == {path: path.stat().st_mtime_ns for path in out.glob("*/log.txt")}
