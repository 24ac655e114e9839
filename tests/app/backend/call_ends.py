"""What a call to a helper told."""

from app.backend.helper_call import HelperCall
from core.api.requests import Reply


class Ends:
    """All that a call tells, in order."""

    def __init__(self, call: HelperCall) -> None:
        self.number = call.number
        self.heard: list[Reply] = []
        for told in (call.progress, call.done, call.refused, call.cancelled):
            told.connect(self.heard.append)
