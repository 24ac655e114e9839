"""Groups of random tokens, for tests and proofs of the update."""

from random import Random

from core.training.batch import TrainingGroup


def uneven_groups(seed: int, sizes: tuple[int, ...] = (4, 2, 8, 3)) -> list[TrainingGroup]:
    """One group of each size, with prompts up to 40 tokens and completions from one to twelve."""
    rng = Random(seed)

    def ids(count: int) -> tuple[int, ...]:
        return tuple(rng.randrange(256) for _ in range(count))

    def group(members: int) -> TrainingGroup:
        completions = tuple(ids(rng.randint(1, 12)) for _ in range(members))
        advantages = tuple(rng.gauss(0, 1) for _ in range(members))
        return TrainingGroup(ids(rng.randint(1, 40)), completions, advantages)

    return [group(members) for members in sizes]
