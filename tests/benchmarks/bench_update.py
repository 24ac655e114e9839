"""The packed update against the naive one: ``python3 dev.py bench update``."""
# ruff: noqa: T201 - a script talks to the person who runs it

from core.training.batch import pack
from core.training.loss import batch_loss
from tests.benchmarks.rivals import compare, round_of_groups, starter_policy
from tests.naive_update import naive_loss


def main() -> None:
    """Print seconds of forward and backward pass for both, and their ratio."""
    policy = starter_policy()
    groups = round_of_groups()
    tokens = sum(group.trained_tokens for group in groups)

    def packed() -> None:
        loss = batch_loss(policy, pack(groups, policy.pad_id), tokens)
        loss.backward()  # type: ignore[no-untyped-call]  # ships unannotated

    def naive() -> None:
        loss = naive_loss(policy.causal_lm, groups, policy.pad_id)
        loss.backward()  # type: ignore[no-untyped-call]  # ships unannotated

    ours, theirs = compare(packed, naive)
    print(f"{len(groups)} groups, {tokens} completion tokens")
    print(f"packed {ours:.3f} s, naive {theirs:.3f} s: {theirs / ours:.2f} times")


if __name__ == "__main__":
    main()
