"""``waggle models``."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.api.models import FetchModel
from core.cli.main import main
from core.errors import MemoryShortError
from core.models.catalog.library import Library
from core.paths import Home
from tests.commands import Typed
from tests.fake_model_hub import REPO, FakeModelHub
from tests.waggle_process import ROOT, waggle


def test_both_starters_are_offered(typed: Typed) -> None:
    """JSON and table name them, with their size."""
    rows = {row["id"]: row for row in json.loads(typed("models", "--json").out)}
    assert {"spark", "ember"} <= set(rows)
    assert 1e6 < rows["spark"]["parameters"] < 3e6
    assert 3e6 < rows["ember"]["parameters"] < 5e6
    assert "spark" in typed("models").out


def test_the_list_says_what_fits_and_what_has_to_be_fetched(typed: Typed) -> None:
    """Starters are here; the others have a size, and all a peak of memory and a verdict."""
    rows = {row["id"]: row for row in json.loads(typed("models", "--json").out)}
    assert rows["spark"]["installed"]
    assert rows["spark"]["verdict"] == "fits"
    half = rows["qwen2.5-0.5b"]
    assert not half["installed"]
    assert half["download"] > 900e6
    assert half["memory"] > sum(half["parts"][part] for part in ("weights", "optimiser"))
    assert half["verdict"] in ("fits", "tight", "too large")


def test_listing_loads_no_torch() -> None:
    """The list is there at once."""
    code = (
        "import sys; from core.cli.main import main; main(['models']);"
        "sys.exit(any(m in sys.modules for m in ('torch', 'transformers', 'huggingface_hub')))"
    )
    listing = subprocess.run(  # noqa: S603 - lines above
        [sys.executable, "-c", code], cwd=ROOT, check=False, capture_output=True
    )
    assert listing.returncode == 0, listing.stderr


@pytest.mark.parametrize(
    ("action", "name", "sentence"),
    [
        ("verify", "qwen3-0.6b", "qwen3-0.6b"),
        ("remove", "qwen3-0.6b", "qwen3-0.6b"),
        ("get", "spark", "There is nothing to download"),
        ("remove", "spark", "comes with Waggle and stays"),
    ],
)
def test_what_cannot_be_done_is_told(action: str, name: str, sentence: str, typed: Typed) -> None:
    """There is nothing to check or to remove; and a starter comes with Waggle."""
    told = typed("models", action, name)
    assert told.code == 1
    assert sentence in told.err


async def test_a_model_is_fetched_checked_and_removed(
    tmp_path: Path, model_files: dict[str, bytes], hub_environment: dict[str, str]
) -> None:
    """The whole life of a model on this computer, through the command line."""
    async with FakeModelHub(model_files).running() as hub:
        environment = hub_environment | {"HF_ENDPOINT": hub.url}

        async def run(*arguments: str) -> str:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "core.cli.main", "models", *arguments),
                *("--home", str(tmp_path)),
                cwd=ROOT,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            out, err = await process.communicate()
            assert process.returncode == 0, err
            return out.decode()

        said = await run("get", REPO)
        assert "is ready. Train it with: waggle join --model someone--tiny-model" in said
        assert "someone/Tiny-Model on this computer: fits. Training takes about" in said
        assert "on this computer already" in await run("get", "someone--tiny-model")
        assert "is whole" in await run("verify", REPO)
        assert "someone--tiny-model" in await run("--json")
        assert "free again" in await run("remove", "someone--tiny-model")
    assert Library(Home(tmp_path).models).manifests() == []


@pytest.mark.parametrize("signal_name", ["kill", "interrupt"])
async def test_a_download_that_is_ended_leaves_nothing_that_looks_complete(
    tmp_path: Path,
    model_files: dict[str, bytes],
    hub_environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    signal_name: str,
) -> None:
    """Killed or interrupted in the middle of a file: no model, and the rest can be fetched."""
    fake = FakeModelHub(model_files)
    fake.trouble.stall = "model.safetensors"
    async with fake.running() as hub:
        for name, value in (hub_environment | {"HF_ENDPOINT": hub.url}).items():
            monkeypatch.setenv(name, value)
        with waggle(tmp_path, "models", "get", REPO) as process:
            await hub.stalled.wait()
            getattr(process, signal_name)()
            await asyncio.to_thread(process.popen.wait)
            if signal_name == "interrupt":
                assert "go on with: waggle models get" in process.errors()
        assert Library(Home(tmp_path).models).manifests() == []
        fake.trouble.stall = None
        with waggle(tmp_path, "models", "get", REPO) as process:
            assert await asyncio.to_thread(process.wait) == 0
    assert [m.repo for m in Library(Home(tmp_path).models).manifests()] == [REPO]


def test_a_model_that_is_too_large_is_fetched_only_on_demand(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal names the flag that insists, and the flag is handed on."""

    async def fetch(request: FetchModel, *_: object) -> None:
        if not request.anyway:
            raise MemoryShortError("It is too large.")

    monkeypatch.setattr("core.cli.models.fetch_model", fetch)
    told = typed("models", "get", REPO)
    assert told.code == 1
    assert "It is too large. To fetch it all the same, add --anyway." in told.err
    assert typed("models", "get", REPO, "--anyway").code == 0


def test_a_token_from_an_input_that_ended_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, and what is kept stays."""

    def end(_question: str) -> str:
        raise EOFError

    monkeypatch.setattr("getpass.getpass", end)
    assert main(["models", "token"]) == 1
    assert "Run this in a terminal" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="its getpass asks the console, not the input")
def test_no_token_is_read_where_it_would_be_shown() -> None:
    """In a session of its own there is no terminal, whatever the input is."""
    told = subprocess.run(
        [sys.executable, "-m", "core.cli.main", "models", "token"],
        input="hf_secret\n",
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )
    sentence = "waggle: No token came. Run this in a terminal and paste the token there.\n"
    assert (told.returncode, told.stdout, told.stderr) == (1, "", sentence)
