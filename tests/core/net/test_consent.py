"""Which addresses are asked only after a person agreed."""

from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.net.addresses import parse_hub_url
from core.net.consent import needs_consent


@pytest.mark.parametrize(
    "url",
    [
        "https://hub.example.org",
        "https://hub.example.org/",
        "https://hub.example.org:8765",
        "https://hub.example.org.",
        "https://xn--bcher-kva.example",
        "http://8.8.8.8:8765",
        "http://[2606:4700::1111]:8765",
        "http://local.example.org",
    ],
)
def test_the_front_page_of_a_public_server_may_be_asked(url: str) -> None:
    """As every browser does it."""
    assert needs_consent(url) is None


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost",
        "http://LOCALHOST.:8765",
        "http://evil.localhost",
        "http://127.0.0.1",
        "http://127.9.9.9:631",
        "http://0.0.0.0",
        "http://[::1]:8765",
        "http://[::]",
        "http://[::ffff:127.0.0.1]",
        "http://[64:ff9b::7f00:1]",
        "http://[2002:7f00:1::]",
    ],
)
def test_this_computer_is_asked_about(url: str) -> None:
    """In every spelling; programs listen there that trust whoever comes from here."""
    assert needs_consent(url) == "own_computer"


@pytest.mark.parametrize(
    "url",
    [
        "http://192.168.1.5:8765",
        "http://10.0.0.1",
        "http://172.16.3.4",
        "http://100.64.0.1",
        "http://169.254.169.254",
        "http://224.0.0.251",
        "http://[fe80::1]",
        "http://[fe80::1%25eth0]",
        "http://[fd00::1]",
        "http://[ff02::1]",
        "http://[::ffff:192.168.1.1]",
        "http://router",
        "http://fritz.box.local",
        "http://metadata.google.internal",
        "http://nas.lan",
        "http://printer.home.arpa",
        "http://2130706433",
        "http://0x7f.1",
        "http://0x7f000001",
        "http://0177.0.0.1",
        "http://127.1",
        "http://192.168.257",
        "http://a%2eb.example.org",
        "http://[1:2",
        "",
    ],
)
def test_the_own_network_is_asked_about(url: str) -> None:
    """Where nobody knows whether an address leads there, too."""
    assert needs_consent(url) in ("own_network", "own_computer")


@pytest.mark.parametrize(
    "url", ["http://hub.example.org/cgi/reboot", "https://hub.example.org/waggle"]
)
def test_a_path_of_its_own_is_asked_about(url: str) -> None:
    """Opening it may do something there; a hub below a path is as good once agreed to."""
    assert needs_consent(url) == "path"


@given(
    st.integers(0, 2**32 - 1).filter(lambda number: not IPv4Address(number).is_global),
    st.sampled_from(("{0}", "{0:#x}", "{1}", "[::ffff:{1}]", "{1}.")),
)
def test_no_spelling_hides_an_inner_address(number: int, spelling: str) -> None:
    """Whatever the form takes as an address is asked about."""
    url = f"http://{spelling.format(number, IPv4Address(number))}"
    try:
        known = parse_hub_url(url).url
    except UsageError:
        return
    assert needs_consent(url) is not None
    assert needs_consent(known) is not None


@given(st.text(max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    """Strangers write what they like."""
    assert needs_consent(f"http://{text}") in (None, "own_computer", "own_network", "path")
