"""Errors of a connection to the model hub that no other try would get over."""

import ssl
from http import HTTPStatus

import aiohttp

from core.errors import ModelError
from core.i18n import translatable


def encryption_trouble(error: BaseException) -> ModelError | None:
    """The error to tell where ``error`` comes from TLS, so that no other try would help."""
    chain: list[BaseException] = []
    following: BaseException | None = error
    while following is not None and following not in chain:
        chain.append(following)
        following = following.__cause__ or following.__context__
    if any(isinstance(one, ssl.SSLCertVerificationError) for one in chain):
        return ModelError(
            translatable(
                "The certificate of the model hub cannot be trusted, so nothing was downloaded. "
                "Look at this computer's clock; where a company looks into the traffic, name the "
                "file with its certificate in SSL_CERT_FILE."
            )
        )
    if any(isinstance(one, ssl.SSLEOFError) for one in chain):  # no more than a line that broke
        return None
    if any(isinstance(one, ssl.SSLError) for one in chain):
        return ModelError(
            translatable(
                "No encrypted line to the model hub could be made. Look at HF_ENDPOINT, at the "
                "proxy settings of this computer, and at programs that look into its traffic."
            )
        )
    return None


def permanent_error(error: Exception) -> ModelError | None:
    """The error to raise where another try would end as this one did; None where it may help."""
    if isinstance(error, aiohttp.ClientSSLError):
        return encryption_trouble(error)
    if isinstance(error, aiohttp.InvalidURL | aiohttp.NonHttpUrlClientError):
        return ModelError(
            translatable(
                "The model hub sends Waggle to an address that is none ({}). "
                "Look at HF_ENDPOINT and at the proxy settings of this computer.",
                f"{str(error)[:100]!r}",
            )
        )
    if (
        isinstance(error, aiohttp.ClientHttpProxyError)
        and error.status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED
    ):
        return proxy_is_closed()
    return None


def proxy_is_closed() -> ModelError:
    """The error for a proxy that lets nobody through without a name."""
    return ModelError(
        translatable(
            "The proxy of your network asks for a name and a password. Put them into its address, "
            "as http://name:password@host:port: in the window under Settings, Meeting others, "
            "Proxy, and then start Waggle again; on the command line into HTTPS_PROXY."
        )
    )
