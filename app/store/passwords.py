"""Passwords, kept so that a copy of the database tells none of them."""

from __future__ import annotations

from argon2 import PasswordHasher

_HASHER = PasswordHasher()


def hash_password(password: str) -> str:
    """The argon2id hash, with its parameters and salt in it."""
    return _HASHER.hash(password)
