"""The access token for Hugging Face, kept where the system keeps passwords: never in our files."""

import logging
import os
import re
from typing import Final

from core.errors import ModelError
from core.i18n import translatable

SERVICE: Final = "waggle"
ACCOUNT: Final = "huggingface.co"

_FORM: Final = re.compile(r"[\x21-\x7e]+")  # what may stand in the header of a request

_log = logging.getLogger(__name__)


def find_token() -> str | None:
    """The token of ``HF_TOKEN``, else of this computer's keyring, else of Hugging Face's own login.

    The environment comes first, so that one run can do without what is kept. None where there is no
    token; a system without a keyring is no reason to fail.

    Raises:
        ModelError: what was found is no token.
    """
    token = os.environ.get("HF_TOKEN", "").strip() or _from_keyring() or _from_login()
    if token:
        _require_form(token)
    return token or None


def keep_token(token: str) -> None:
    """Put ``token`` into the keyring; an empty one removes it.

    Raises:
        ModelError: that is no token, or this system has no keyring that could be used.
    """
    import keyring

    if token:
        _require_form(token)
    try:
        if token:
            keyring.set_password(SERVICE, ACCOUNT, token)
        elif keyring.get_password(SERVICE, ACCOUNT) is not None:
            keyring.delete_password(SERVICE, ACCOUNT)
    except Exception as error:
        # Every backend raises errors of its own, down to those of D-Bus.
        raise ModelError(
            translatable(
                "This computer has no keyring that could keep the token ({}). "
                "Put it into the environment variable HF_TOKEN instead.",
                type(error).__name__,
            )
        ) from error


def _from_keyring() -> str | None:
    import keyring

    try:
        return keyring.get_password(SERVICE, ACCOUNT)
    except Exception as error:  # noqa: BLE001 - every backend raises errors of its own
        _log.info("No token from the keyring: %s", error)
        return None


def _from_login() -> str | None:
    from huggingface_hub import get_token

    return get_token()


def _require_form(token: str) -> None:
    if _FORM.fullmatch(token) is None:
        raise ModelError(
            translatable(
                "That is no access token: it has blanks or signs that none has. Copy it again from "
                "huggingface.co/settings/tokens and give it to Waggle on the page Models, or with: "
                "waggle models token"
            )
        )
