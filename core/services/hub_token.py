"""The access token for Hugging Face: whether there is one, keeping it and forgetting it."""

import asyncio

from core.api.models import ForgetHubToken, HubTokenShown, SetHubToken, ShowHubToken
from core.services.service import SendReply, ServiceContext


async def show_hub_token(_request: ShowHubToken, _place: ServiceContext, tell: SendReply) -> None:
    """Answer whether there is a token.

    Raises:
        ModelError: what was found is no token.
    """
    from core.models.download.hub_token import find_token

    tell(HubTokenShown(is_kept=await asyncio.to_thread(find_token) is not None))


async def set_hub_token(request: SetHubToken, _place: ServiceContext, tell: SendReply) -> None:
    """Keep a token in this computer's keyring.

    Raises:
        ModelError: it is none, or there is no keyring.
    """
    from core.models.download.hub_token import keep_token

    await asyncio.to_thread(keep_token, request.token.strip())
    tell(HubTokenShown(is_kept=True))


async def forget_hub_token(
    _request: ForgetHubToken, _place: ServiceContext, tell: SendReply
) -> None:
    """Take the token out of the keyring; the environment may still hold one.

    Raises:
        ModelError: there is no keyring.
    """
    from core.models.download.hub_token import find_token, keep_token

    await asyncio.to_thread(keep_token, "")
    tell(HubTokenShown(is_kept=await asyncio.to_thread(find_token) is not None))
