"""The learner's step as something to be timed."""

from pathlib import Path

from core.bench.material import LapWork, questions
from core.bench.updates import updating
from tests.tiny_models import load_tiny_policy

WORK = LapWork(groups=2, members=4, prompt_tokens=10, completion_tokens=5)


def test_every_token_is_in_the_loss_and_nothing_is_written(tmp_path: Path) -> None:
    """All of the work is done in every lap, and the policy really learns."""
    policy = load_tiny_policy(tmp_path)
    asked = questions(lambda text: len(policy.encode_prompt(text)), WORK)
    update = updating(policy, asked, WORK)
    assert (update(), update()) == (WORK.tokens, WORK.tokens)
    assert policy.version == 2
    assert not Path("never-written").exists()
