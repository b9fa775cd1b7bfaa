"""Names a player may show to others. Source: PROTOCOL §2."""

from __future__ import annotations

import re
import unicodedata

MAX_DISPLAYED = 12  # characters as a reader counts them
MAX_MARKS = 2  # combining marks on one character
MAX_LENGTH = 40  # code points

# invisible though their category says otherwise: fillers, variation selectors, the blank braille cell
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
_MARKS = {"Mn", "Mc", "Me"}


def clean_name(name: str) -> str:
    """The name in its one normalised form.

    >>> clean_name("  Ｅｒｍａ　二麻 ")
    'Erma 二麻'

    Raises:
        ValueError: it is empty, too long, or holds characters that cannot be seen or turn the text around.
    """
    if _INVISIBLE.search(name):
        raise ValueError("invisible character")
    name = " ".join(unicodedata.normalize("NFKC", name).split(" ")).strip()
    name = re.sub(" {2,}", " ", name)
    displayed = marks = 0
    for character in name:
        category = unicodedata.category(character)
        if category in _MARKS:
            marks += 1
            if not displayed or marks > MAX_MARKS:
                raise ValueError("misplaced combining marks")
        elif category[0] == "C" or (category[0] == "Z" and character != " "):
            raise ValueError("control or separator character")
        else:
            displayed, marks = displayed + 1, 0
    if not 1 <= displayed <= MAX_DISPLAYED or len(name) > MAX_LENGTH:
        raise ValueError(f"1 to {MAX_DISPLAYED} characters")
    return name
