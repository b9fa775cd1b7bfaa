"""What a page writes in the display face, held against the glyphs of the shipped subset."""

from __future__ import annotations

from fontTools.ttLib import TTFont

from tools.build_display_font import FONT

# Letters of every text node whose first font is the display face.
SHOWN = """
() => {
  const letters = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const font = getComputedStyle(walker.currentNode.parentElement).fontFamily;
    if (font.startsWith('"Kai Display"')) for (const letter of walker.currentNode.data) letters.add(letter);
  }
  return [...letters].join('');
}
"""


def without_glyph(shown: str) -> set[str]:
    """Letters for which the browser would take another face."""
    glyphs = set(TTFont(FONT).getBestCmap())
    return {letter for letter in shown if letter.strip() and ord(letter) not in glyphs}
