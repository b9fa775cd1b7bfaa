"""Write the fan tables of docs/RULES.md from the rule sets' data: ``python -m tools.rules_tables``.

The tables stand between two marker comments; a test fails when they differ from the data.
"""

from __future__ import annotations

from pathlib import Path

from app.rules.ruleset import RULESET_IDS, Fan, RuleSet, load_ruleset

DOCUMENT = Path(__file__).parents[1] / "docs" / "RULES.md"
BEGIN, END = "<!-- fan tables: begin -->", "<!-- fan tables: end -->"


def fan_tables() -> str:
    """All fan tables in Markdown, one a rule set, fans by value."""
    return "\n\n".join(_table(load_ruleset(ruleset)) for ruleset in RULESET_IDS)


def with_tables(document: str) -> str:
    """The document with what stands between its markers made anew."""
    before, rest = document.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{fan_tables()}\n\n{END}{after}"


def _table(rules: RuleSet) -> str:
    names = {fan.id: fan.zh for fan in rules.fans}
    rows = [_row(fan, names) for fan in sorted(rules.fans, key=lambda fan: (-fan.value, fan.position))]
    head = f"### `{rules.id}` {rules.zh}\n\n| fan | id | value | excludes |\n|---|---|---|---|\n"
    return head + "\n".join(rows)


def _row(fan: Fan, names: dict[str, str]) -> str:
    name = f"~~{fan.zh}~~" if fan.unreachable else fan.zh
    value = f"{fan.value} a tile" if fan.per_tile else str(fan.value)
    excludes = " ".join(names[excluded] for excluded in names if excluded in fan.excludes)
    return f"| {name} | `{fan.id}` | {value} | {excludes} |"


def main() -> None:
    DOCUMENT.write_text(with_tables(DOCUMENT.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
