"""Data only: tiles, fan tables, multipliers. Standard library alone."""
