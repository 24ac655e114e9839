"""Names of models as people paste them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.pages.models.repositories import repository_in
from core.models.catalog.repositories import REPOSITORY, is_repository


@pytest.mark.parametrize(
    "text",
    [
        "Qwen/Qwen2.5-0.5B",
        "  Qwen/Qwen2.5-0.5B \n",
        "https://huggingface.co/Qwen/Qwen2.5-0.5B",
        "huggingface.co/Qwen/Qwen2.5-0.5B/tree/main?show=all#files",
        "https://www.huggingface.co/Qwen/Qwen2.5-0.5B/",
        "hf.co/Qwen/Qwen2.5-0.5B",
    ],
)
def test_a_name_and_the_address_of_its_page_mean_the_same(text: str) -> None:
    """People copy either."""
    assert repository_in(text) == "Qwen/Qwen2.5-0.5B"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Qwen",
        "a/b/c",
        "two words/x",
        "https://example.org/a/b",
        "../x",
        "a/",
        "/b",
        "a/\u202e",
    ],
)
def test_what_is_no_name_is_none(text: str) -> None:
    """Said before anybody is asked."""
    assert repository_in(text) is None


@given(st.from_regex(REPOSITORY, fullmatch=True))
def test_every_name_that_can_be_fetched_may_be_typed(name: str) -> None:
    """The window is no stricter than the engine."""
    assert not is_repository(name) or repository_in(name) == name
