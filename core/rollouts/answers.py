"""Where in a completion the answer stands.

A small model answers with the answer alone. A larger one thinks aloud first; its prompt asks for
the final answer between two tags, and only what stands there is judged.
"""

from typing import Final

OPENING: Final = "<answer>"
CLOSING: Final = "</answer>"


def final_answer(completion: str) -> str:
    """What stands in the last pair of tags, without spaces and line breaks around it.

    The whole text, as it is, where there is no such pair.

    Completions are text of strangers, so this looks for plain strings and does nothing else.
    """
    last = completion.rfind(CLOSING)
    start = completion.rfind(OPENING, 0, max(last, 0))
    if start < 0:
        return completion
    start += len(OPENING)
    return completion[start : completion.index(CLOSING, start)].strip(" \t\r\n")
