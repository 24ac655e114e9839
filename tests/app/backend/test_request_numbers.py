"""Requests can be told apart."""

from app.backend.request_numbers import new_number


def test_no_number_comes_twice() -> None:
    """And none is 0, which stands for none."""
    numbers = [new_number() for _ in range(100)]
    assert len(set(numbers)) == 100
    assert min(numbers) > 0
