"""Proof that no acknowledged move is lost: a real server killed again and again, then everything checked.

Source: docs/OPERATIONS.md.
"""
