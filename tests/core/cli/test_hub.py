"""``waggle hub``; ``end_to_end/test_swarm.py`` runs one for nodes."""

import urllib.request
from pathlib import Path

import pytest

from core.cli.main import main
from tests.waggle_process import hub


def test_a_hub_says_where_it_is_and_is_healthy(tmp_path: Path) -> None:
    """The announced address answers, and an interrupt closes it well."""
    with hub(tmp_path) as (process, url):
        with urllib.request.urlopen(f"{url}/healthz", timeout=10) as reply:  # noqa: S310 - loopback
            assert reply.status == 200
        process.interrupt()
        assert process.wait() == 0


@pytest.mark.parametrize("listen", ["nowhere", "127.0.0.1:99999", ":80"])
def test_an_address_that_is_none_is_wrong_usage(
    listen: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sentence shows what an address looks like."""
    assert main(["hub", "--listen", listen, "--home", str(tmp_path)]) == 2
    assert "0.0.0.0:8765" in capsys.readouterr().err
