"""What players may say to each other: phrases of a list, and texts where the house allows them.

The list's texts are the client's. Free text is off by default; where it is on it is cut to one short plain
line without addresses or blocked words. Source: PROTOCOL §3 (`say`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from app.api.frames import Say

PHRASES = frozenset({"hello", "luck", "hurry", "wait", "nice", "sorry", "thanks", "bye"})
MAX_TEXT = 60  # code points
_ADDRESS = re.compile(r"https?:|www\.|@|\w\.(?:com|net|org|tw|cn|hk|io|me|gg)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ChatTerms:
    """``blocked`` are words, in lower case, that no text may hold."""

    free_text: bool = False
    blocked: tuple[str, ...] = ()


class Unsayable(ValueError):
    """Nothing that may be said at a table."""


def words_of(say: Say, terms: ChatTerms) -> Mapping[str, str]:
    """What is passed on: ``{"phrase": …}`` or ``{"text": …}``.

    Raises:
        Unsayable: neither, both, an unknown phrase, or a text that may not be shown.
    """
    if say.phrase in PHRASES and say.text is None:
        return {"phrase": say.phrase}
    if say.text is None or say.phrase is not None or not terms.free_text:
        raise Unsayable
    return {"text": clean_text(say.text, terms.blocked)}


def clean_text(text: str, blocked: tuple[str, ...] = ()) -> str:
    """One plain line, its form normalised.

    >>> clean_text(" good   game！ ")
    'good game!'

    Raises:
        Unsayable: it is empty, too long, unreadable, an address, or holds a blocked word.
    """
    line = " ".join(unicodedata.normalize("NFKC", text).split())
    if not 1 <= len(line) <= MAX_TEXT:
        raise Unsayable
    # control, format and direction characters, private and unassigned code points; piled up marks
    categories = [unicodedata.category(character) for character in line]
    if any(category[0] == "C" for category in categories) or "MnMnMn" in "".join(categories):
        raise Unsayable
    folded = line.casefold()
    if _ADDRESS.search(folded) or any(word in folded for word in blocked):
        raise Unsayable
    return line
