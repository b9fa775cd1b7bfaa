"""Rebuilds the display face ``static/fonts/kai-display.woff2`` from a package that carries LXGW WenKai TC.

``python tools/build_display_font.py [PACKAGE_DIR]``

``PACKAGE_DIR`` is an unpacked ``@fontsource/lxgw-wenkai-tc``; without it ``npm pack`` fetches the package.
The subset holds what the pages write in the display face: the catalogue's texts under ``DISPLAY_KEYS``, the
titles, the tiers' names, ASCII and a few signs. Run it when a test says that a glyph is missing.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from app.economy.ranks import RANKS  # noqa: E402

CATALOGUE = ROOT / "static" / "js" / "messages"
FONT = ROOT / "static" / "fonts" / "kai-display.woff2"
TIER_NAMES = ROOT / "migrations" / "versions" / "20261129_02_tiers.py"
PACKAGE = "@fontsource/lxgw-wenkai-tc@5.3.0"
BOLD = "*-700-normal.woff2"
MADE = 3_850_000_000  # seconds since 1904

# Which texts of the catalogue stand in the display face; a browser test holds the pages against the font.
DISPLAY_KEYS = (
    *("app.title", "nav.leaderboard", "hub.*", "act.*", "ask.*", "auto.back", "banner.retry", "banner.seen"),
    *(
        "end.*",
        "leave.stay",
        "leave.go",
        "leave.title",
        "menu.title",
        "menu.close",
        "chat.title",
        "modal.close",
    ),
    *(
        "wait.title",
        "wait.copy",
        "wait.match.title",
        "wait.match.cancel",
        "wait.copy_watch",
        "parted.title",
        "parted.stay",
        "parted.search",
        "parted.leave",
        "watch.on",
        "watch.leave",
        "chat.send",
        "coins.*",
        "hint.title",
        "hint.short",
        "plate.*",
    ),
    *("settings.title", "keys.title", "settle.*", "played.title", "record.*", "proof.title", "board.more"),
    *("lobby.title", "lobby.base", "lobby.create_*", "lobby.quick_start", "lobby.private", "lobby.join"),
    *("lobby.practise", "lobby.watch", "lobby.watched", "opening.do"),
    *("lobby.rooms", "lobby.played", "lobby.ranks", "lobby.retry", "lobby.back.do", "relief.ask"),
    *("nav.rules", "rules.facts", "rules.money", "rules.ranks", "rules.fans.value", "rules.fans.try"),
    *("calc.title", "calc.clear"),
    *("search.title*", "search.cancel", "search.close", "search.again", "search.back", "signin.*"),
    *(
        "account.title",
        "account.keep",
        "account.register",
        "account.login",
        "account.rename",
        "account.password",
    ),
    *("account.devices", "account.everywhere", "account.logout", "account.leave", "form.cancel"),
)
NOT_DISPLAY = (
    "*.small",
    "*.price",
    "*.plain",
    "*.why",
    "*.label",
    "*.lead",
    "*.hint",
    "signin.invited",
    "end.*ed",
)


def catalogue() -> dict[str, str]:
    """Every text that stands in the catalogue as it is; those put together at run time are tiles' names."""
    entries: dict[str, str] = {}
    for path in sorted(CATALOGUE.rglob("*.js")):
        entries |= dict(re.findall(r"^ *'?([\w.]+)'?: '((?:[^'\\]|\\.)*)'", path.read_text(), re.MULTILINE))
    return entries


def is_display(key: str) -> bool:
    shown = any(fnmatchcase(key, pattern) for pattern in DISPLAY_KEYS)
    return shown and not any(fnmatchcase(key, pattern) for pattern in NOT_DISPLAY)


def display_text() -> str:
    """All letters the display face needs, sorted."""
    texts = [text for key, text in catalogue().items() if is_display(key)]
    texts += [rank.name for rank in RANKS]
    texts += re.findall(r'"(\w+場)"', TIER_NAMES.read_text())
    texts += ["".join(map(chr, range(0x20, 0x7F))), "·×–−…"]
    return "".join(sorted(set("".join(texts))))


def fetch_package(into: Path) -> Path:
    subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=into, check=True)  # noqa: S603, S607
    (archive,) = into.glob("*.tgz")
    with tarfile.open(archive) as packed:
        packed.extractall(into, filter="data")
    return into / "package"


def subset_of(path: Path, wanted: set[int], into: Path) -> tuple[Path, set[int]] | None:
    """The wanted glyphs of one of the package's slices, without layout tables, and which those were."""
    font = TTFont(path)
    found = wanted & set(font.getBestCmap())
    if not found:
        return None
    options = Options(layout_features=[], notdef_outline=True, hinting=False, name_IDs=[0, 1, 2, 13, 14])
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "BASE", "DSIG", "VORG", "vhea", "vmtx", "STAT", "gasp"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=found)
    subsetter.subset(font)
    font.flavor = None
    out = into / f"{path.stem}.ttf"
    font.save(out)
    return out, found


def build(package: Path, text: str) -> set[str]:
    """Write the subset; letters that no slice of the package has are returned."""
    wanted = {ord(letter) for letter in text}
    with tempfile.TemporaryDirectory() as made:
        parts: list[Path] = []
        for path in sorted((package / "files").glob(BOLD)):
            part = subset_of(path, wanted, Path(made))
            if part is not None:
                parts.append(part[0])
                wanted -= part[1]
        merged = Merger().merge([str(part) for part in parts])
    merged.flavor = "woff2"
    merged["head"].created = merged["head"].modified = MADE  # the same font from the same texts
    merged.recalcTimestamp = False
    merged.save(FONT)
    return {chr(code) for code in wanted}


def main() -> None:
    text = display_text()
    with tempfile.TemporaryDirectory() as fetched:
        package = Path(sys.argv[1]) if len(sys.argv) > 1 else fetch_package(Path(fetched))
        missing = build(package, text)
    print(
        f"{len(text)} letters, {FONT.stat().st_size} bytes", "missing:" if missing else "", *sorted(missing)
    )


if __name__ == "__main__":
    main()
