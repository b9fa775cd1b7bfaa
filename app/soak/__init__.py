"""Rooms under a crowd: random players, drops, time and restarts, and what must hold after every step."""
