"""Erma (二麻): a real-time two-player mahjong server.

The floors, top to bottom: ``main | cli → api | store → rooms → bots → economy | engine → rules``.
Imports go downstairs only (see docs/ARCHITECTURE.md).
"""
