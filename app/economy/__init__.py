"""Coins and points: stakes, ledger, rake, forfeits, ranks. Integers only, no I/O, never a tile."""
