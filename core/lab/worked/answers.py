"""Answers that show their work, for starters to read now and then.

A worked answer is "Steps: ...", and then the right answer between the tags that practice looks for.
All kinds begin with the same word, so that whoever finds out that working pays in one kind has
found it out for all.
"""

from collections.abc import Callable, Mapping

from core.lab.worked import numbers, sums, words
from core.rollouts.answers import CLOSING, OPENING
from core.rollouts.types import TaskId
from core.tasks.reasoning_tasks import Puzzle

BEGINNING = "Steps:"

LONGEST = 80
"""Characters of steps and answer. With the words around them that is at most 96 tokens."""

Steps = Callable[[str, str], str | None]
"""From the prompt and the right answer to what stands between them."""

WORKED: Mapping[TaskId, Steps] = {
    TaskId("base_conversion"): numbers.other_base,
    TaskId("basic_arithmetic"): sums.value_of_expression,
    TaskId("calendar_arithmetic"): words.weekday_found,
    TaskId("chain_sum"): sums.sum_of_terms,
    TaskId("complex_arithmetic"): sums.complex_result,
    TaskId("count_bits"): numbers.ones_in_binary,
    TaskId("decimal_arithmetic"): sums.value_of_decimals,
    TaskId("decimal_chain_sum"): sums.sum_of_decimals,
    TaskId("fraction_simplification"): numbers.simplified_fraction,
    TaskId("gcd"): numbers.greatest_common_divisor,
    TaskId("lcm"): numbers.least_common_multiple,
    TaskId("leg_counting"): words.legs,
    TaskId("prime_factorization"): numbers.prime_factors,
    TaskId("products"): sums.product_of_two,
    TaskId("simple_geometry"): sums.remaining_angle,
    TaskId("time_intervals"): words.interval,
    TaskId("weekday_offset"): words.weekday,
}
"""How the steps of a kind are written; kinds that are not here have no worked answers.

Working was right at least twice as often as answering directly for bits, sums, products, legs,
weekdays and fractions, at some levels, in models of two million parameters; one seed each, 150
puzzles a level. Bits got there with one answer in ten worked. The others did with every other
answer worked in the first seven tenths and one in ten after them, prompts cut short, and three or
four kinds to a model; which of these it was that helped has not been told apart. Divisors and
factors came near. Bases did not, and expressions, decimals, complex numbers, multiples and
intervals were only read too thinly to tell. Equations (moving the numbers, then dividing) and
spelling (letters forward, then backward) were no better worked.
"""


def work(puzzle: Puzzle) -> str | None:
    """The worked answer; None where there is nothing to work out, or it would take too long."""
    write = WORKED.get(puzzle.question.key.task)
    steps = write(puzzle.question.prompt, puzzle.answer) if write else None
    if not steps or len(steps) + len(puzzle.answer) > LONGEST:
        return None
    return f"{BEGINNING} {steps} {OPENING}{puzzle.answer}{CLOSING}"
