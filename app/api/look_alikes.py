"""Names that look alike, so that nobody is taken for somebody else. Source: PROTOCOL §2.7.

What looks like what is Unicode's own table (UTS #39, confusables), as the package confusable-homoglyphs
brings it: ten thousand characters are nothing to keep by hand. The package tells which characters may be
confused and leaves the skeleton to us. Letters that only differ in case count as alike, and so do ``i`` and
``l``, which capitals make one. The table knows of no likeness between whole Chinese characters such as 己 and
已; readers of Chinese tell them apart.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from confusable_homoglyphs.confusables import confusables_data

from app.api.errors import Refused
from app.economy.accounts import GUEST_DIGITS, GUEST_NAME, LEFT_NAME
from app.economy.users import Name
from app.rooms.practice import COMPUTER

MAX_KEY = 255  # characters; longer ones are cut, so that they are alike a little too often
RESERVED = (
    *(COMPUTER.name, "电脑", LEFT_NAME, "已离開", "已離开", "已离开"),
    *("系統", "系统", "二麻", "二人麻將", "二人麻将"),
    *("admin", "administrator", "computer", "erma", "moderator", "official", "root", "support", "system"),
)
RESERVED_PARTS = ("客服", "官方", "管理員", "管理员")  # of no name at all


def look_alike_key(name: str) -> str:
    """What all names share that a reader may take for this one.

    >>> look_alike_key("PauI") == look_alike_key("paul") == look_alike_key("р а u l")  # Cyrillic р and а
    True
    >>> look_alike_key("聽雨") == look_alike_key("聽雲")
    False
    """
    key = unicodedata.normalize("NFKC", name)
    for _ in range(2):  # a capital's small letter may look like something else again: M, m, rn
        key = _skeleton(key).casefold()
    key = unicodedata.normalize("NFKC", _skeleton(key).casefold()).replace("i", "l")
    return unicodedata.normalize("NFC", key.replace(" ", ""))[:MAX_KEY]


def own_name(shown: str) -> Name:
    """A clean name with its key.

    Raises:
        Refused: it speaks for the house, or is one that the house gives.
    """
    name = Name(shown, look_alike_key(shown))
    is_reserved = name.key in _reserved_keys() or _plain_keys().fullmatch(name.key) is not None
    if is_reserved or any(part in name.key for part in _reserved_parts()):
        raise Refused("name_reserved")
    return name


@cache
def _reserved_keys() -> frozenset[str]:
    return frozenset(map(look_alike_key, RESERVED))


@cache
def _reserved_parts() -> frozenset[str]:
    return frozenset(map(look_alike_key, RESERVED_PARTS))


@cache
def _plain_keys() -> re.Pattern[str]:
    """Whatever looks like :func:`app.economy.accounts.plain_name`, in either way of writing it."""
    names = "|".join(map(look_alike_key, (GUEST_NAME, "访客")))
    return re.compile(f"(?:{names})[{look_alike_key('0123456789')}]{{{GUEST_DIGITS}}}")


def _skeleton(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(map(_prototype, decomposed))


@cache
def _prototype(character: str) -> str:
    """The one of all that look like this character. In the table whoever has a single look-alike, which in
    turn has many or is more than one character, looks like it; of a mere pair the last stands for both, which
    is the character itself where the first is its radical.
    """
    alike = _alike(character)
    if len(alike) != 1:
        return character
    other = alike[0]
    return other if len(_alike(other)) > 1 or len(other) > 1 else max(character, other)


def _alike(text: str) -> list[str]:
    return [other["c"].strip("\u200e") for other in confusables_data.get(text, ())]
