"""How many threads a model computes with."""

from msgspec.structs import replace

from core.models.catalog.catalog import load_models
from core.models.threads import physical_cores, worthwhile_threads


def test_a_small_model_takes_one_core_and_a_large_one_all() -> None:
    """The starters leave the rest of the machine to its owner."""
    spark = load_models().get("spark")
    assert worthwhile_threads(spark) == 1
    assert worthwhile_threads(replace(spark, parameters=500_000_000)) == physical_cores()


def test_there_is_at_least_one_core() -> None:
    """Systems that do not tell count as one."""
    assert physical_cores() >= 1
