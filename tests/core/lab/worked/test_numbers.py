"""Worked answers about whole numbers, on examples worked out by hand."""

import pytest

from core.lab.worked import numbers
from core.lab.worked.answers import Steps

GCD = "Find the Greatest Common Divisor (GCD) of these numbers: {}. Give only the GCD."
LCM = "Find the Least Common Multiple (LCM) of these numbers: {}"
BITS = "How many 1 bits are there in the binary representation of the number {}?"
BASES = "Lowercase letters a-z for digits above 9.\n\nNow, convert the {}\n"


@pytest.mark.parametrize(
    ("write", "prompt", "answer", "steps"),
    [
        (numbers.greatest_common_divisor, GCD.format("24, 36"), "12", "2:12/18=2,2:6/9=4,3:2/3=12"),
        (numbers.greatest_common_divisor, GCD.format("7, 9"), "1", "1:7/9=1"),
        (numbers.least_common_multiple, LCM.format("4, 6"), "12", "2:2/3=2;6*2=12"),
        (numbers.simplified_fraction, "Simplify 1005/1155", "67/77", "3:335/385,5:67/77"),
        (numbers.simplified_fraction, "Simplify 3/4", "3/4", "1:3/4"),
        (numbers.prime_factors, "Factors of 268", "2 \u00d7 2 \u00d7 67", "268/2=134,134/2=67"),
        (numbers.prime_factors, "Factors of 7", "7", "7/1=7"),
        (numbers.ones_in_binary, BITS.format(12), "2", "12:0,6:0,3:1,1:2"),
        (
            numbers.other_base,
            BASES.format("base-8 number 206 to base-5"),
            "1014",
            "2:2,0:16,6:134;26r4,5r1,1r0,0r1",
        ),
        (numbers.other_base, BASES.format("binary number 101 to base-10"), "5", "1:1,0:2,1:5"),
        (numbers.other_base, BASES.format("base-10 number 29 to hexadecimal"), "1d", "1rd,0r1"),
    ],
)
def test_steps(write: Steps, prompt: str, answer: str, steps: str) -> None:
    """The steps are those that a person would write down."""
    assert write(prompt, answer) == steps


def test_another_prompt_is_refused() -> None:
    """A prompt that names no bases is an error of the program, not a puzzle without steps."""
    with pytest.raises(ValueError, match="convert"):
        numbers.other_base("convert it", "1")
