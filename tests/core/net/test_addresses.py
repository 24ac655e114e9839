"""The form of a hub's address."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.net.addresses import HubAddress, parse_hub_url
from core.wire.codec import MAX_URL_CHARS


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:8765", HubAddress("http://127.0.0.1:8765", "127.0.0.1")),
        ("https://hub.example.org/", HubAddress("https://hub.example.org", "hub.example.org")),
        ("https://example.org/waggle/", HubAddress("https://example.org/waggle", "example.org")),
        ("http://[::1]:81", HubAddress("http://[::1]:81", "::1")),
        ("http://[::1]:80", HubAddress("http://[::1]", "::1")),
        (
            "HTTPS://Hub.Example.org:443/Aa/",
            HubAddress("https://hub.example.org/Aa", "hub.example.org"),
        ),
        ("https://hub.example.org:80", HubAddress("https://hub.example.org:80", "hub.example.org")),
    ],
)
def test_addresses_of_hubs(url: str, address: HubAddress) -> None:
    """With or without port, path and slash, and spelt one way however it was typed."""
    assert parse_hub_url(url) == address


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "ftp://example.org",
        "file:///etc/passwd",
        "http://",
        "http://user:password@example.org",
        "http://example.org?x=1",
        "http://example.org#x",
        "http://example.org?",
        "http://example.org#",
        "http://@example.org",
        "http://example.org:0",
        "http://example.org:99999",
        "http://example.org:port",
        "http://exa mple.org",
        "http://example.org/\u202egro.elpmaxe",
        "http://example.org/\u200b",
        "http://example.org/\r\nX: y",
        "http://[::1",
        "http://" + "a" * 64 + ".org",
        "http://" + "a." * 200 + "org",
        "http://a..b",
        "http://example.org/" + "a" * MAX_URL_CHARS,
    ],
)
def test_what_is_no_address_is_wrong_usage(url: str) -> None:
    """With an example of a right one."""
    with pytest.raises(UsageError, match="Write it like"):
        parse_hub_url(url)


@given(st.text() | st.text().map("http://".__add__) | st.text().map("https://[".__add__))
def test_any_text_is_an_address_or_wrong_usage(text: str) -> None:
    """Strangers name addresses, too: no other error, and what is found reads the same again."""
    try:
        address = parse_hub_url(text)
    except UsageError:
        return
    assert parse_hub_url(address.url) == address
    assert parse_hub_url(address.url + "/") == address
    assert len(address.url) <= MAX_URL_CHARS


@pytest.mark.parametrize(
    "host", ["127.0.0.\u2460", "192.168.1.\u2460", "127\u30020.0.1", "hub.ex\u00e4mple"]
)
def test_signs_that_turn_into_other_addresses_are_refused(host: str) -> None:
    """Some libraries read a circled one as a one, after everybody has looked."""
    with pytest.raises(UsageError, match="no address"):
        parse_hub_url(f"http://{host}:8765")
