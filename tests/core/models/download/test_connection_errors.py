"""Lines on which no other try would get through."""

import ssl

import aiohttp
import pytest

from core.models.download.connection_errors import encryption_trouble, permanent_error


def test_a_cause_is_found_below_what_wraps_it() -> None:
    """Libraries raise their own errors from that of TLS."""
    wrapped = OSError("no line")
    wrapped.__cause__ = ssl.SSLCertVerificationError("self-signed")
    assert "SSL_CERT_FILE" in str(encryption_trouble(wrapped))


@pytest.mark.parametrize("error", [ssl.SSLEOFError("cut"), OSError("away"), TimeoutError()])
def test_a_line_that_broke_is_tried_again(error: Exception) -> None:
    """Nothing is said about what may be over in a moment."""
    assert encryption_trouble(error) is None
    assert permanent_error(error) is None


def test_an_address_that_is_none_is_told() -> None:
    """With what it was."""
    assert "address that is none ('http://')" in str(permanent_error(aiohttp.InvalidURL("http://")))
