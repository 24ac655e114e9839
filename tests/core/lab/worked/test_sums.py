"""Worked answers that add and multiply, on examples worked out by hand."""

import pytest

from core.lab.worked import sums
from core.lab.worked.answers import Steps

SUM = "State the final answer to the following arithmetic problem: {} ="
TIMES = "Solve the following multiplication: {}. Give only the result as your final answer."


@pytest.mark.parametrize(
    ("write", "prompt", "answer", "steps"),
    [
        (sums.sum_of_terms, SUM.format("3 - 8"), "-5", "3-8=-5"),
        (sums.sum_of_terms, SUM.format("92 + 82 - 1"), "173", "92+82=4:17=174-1=3:7:1=173"),
        (sums.sum_of_terms, SUM.format("2.65 + 2.9"), "5.55", "2.65+2.90=5:15:5=5.55"),
        (sums.sum_of_terms, SUM.format("0.1 - 1.5"), "-1.4", "0.1-1.5=4:1=-1.4"),
        (
            sums.product_of_two,
            TIMES.format("92 * 82"),
            "7544",
            "92*2=4:18=184,92*8=16:73=736+18=14:5:7=754",
        ),
        (sums.product_of_two, TIMES.format("-7 * 8"), "-56", "7*8=56"),
        (sums.value_of_expression, "Calculate 85 / 17 + 39.", "44", "85/17=5,5+39=14:4=44"),
        (
            sums.value_of_expression,
            "Calculate 12 * 13 - 6.",
            "150",
            "12*3=6:3=36,12*1=12+3=5:1=15,12*13=156,156-6=0:5:1=150",
        ),
        (sums.value_of_expression, "Calculate -( 1 + -2 ).", "1", "1-2=-1"),
        (
            sums.complex_result,
            "Add the complex numbers: (1.0 + 4.0i) + (-2.00)",
            "-1.0 + 4.0i",
            "1-2=-1,4+0=4",
        ),
        (
            sums.complex_result,
            "Multiply the complex numbers: (1.0 + 4.0i) \u00d7 (2.0 + 3.0i)",
            "-10.0 + 11.0i",
            "1*2=2,4*3=12,2-12=0:1=-10;1*3=3,4*2=8,3+8=11",
        ),
        (sums.complex_result, "Divide: (1.0 + 4.0i) \u00f7 (2.0 + 3.0i)", "", None),
    ],
)
def test_steps(write: Steps, prompt: str, answer: str, steps: str | None) -> None:
    """The steps are those that a person would write down; None where there are none."""
    assert write(prompt, answer) == steps


def test_only_arithmetic_is_worked_out() -> None:
    """A name in an expression is an error of the program."""
    with pytest.raises(ValueError, match="Name"):
        sums.value_of_expression("Calculate 1 + x.", "2")
