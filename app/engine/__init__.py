"""The game itself, pure: seed in, states and events out. Standard library alone.

No clock, no I/O, no coin: the room owns time and money, the engine hears only what a seat did.
"""
