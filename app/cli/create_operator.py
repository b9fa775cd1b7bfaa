"""``create-operator``: an account with a role. Source: PROTOCOL §1."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import json
import sys
import time
from typing import TYPE_CHECKING

from app.cli.command import read_settings

if TYPE_CHECKING:
    from app.cli.command import Subparsers
    from app.economy.operators import Role
    from app.economy.users import User

SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 256


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    parser = subparsers.add_parser(
        "create-operator", help="make an operator account; asks for the password, or reads a line of stdin"
    )
    parser.add_argument("name", help="1 to 12 characters, as players' names")
    parser.add_argument(
        "--role", choices=["owner", "operator", "viewer"], help="default: owner for the first, else operator"
    )
    parser.add_argument("--database-url", help="default: ERMA_DATABASE_URL")
    return parser


def run(args: argparse.Namespace) -> int:
    from app.api.names import clean_name
    from app.economy.operators import Role
    from app.store.migrate import SchemaError
    from app.store.operators import OperatorExists

    try:
        name, password = clean_name(args.name), _password()
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    url = read_settings(database_url=args.database_url).database_url
    try:
        user = asyncio.run(_create(url, name, password, Role(args.role) if args.role else None))
    except SchemaError as error:
        print(error, file=sys.stderr)
        return 2
    except OperatorExists:
        print(f"there is an operator {name} already", file=sys.stderr)
        return 1
    print(json.dumps({"id": user.id, "name": user.name, "role": user.role}, ensure_ascii=False))
    return 0


def _password() -> str:
    """Asked for twice at a terminal, else the first line of stdin.

    Raises:
        ValueError: the two differ, or it is too short or too long.
    """
    if sys.stdin.isatty():
        password = getpass.getpass("Password: ")
        if getpass.getpass("Again: ") != password:
            raise ValueError("the passwords differ")
    else:
        password = sys.stdin.readline().rstrip("\r\n")
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise ValueError(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters")
    return password


async def _create(url: str, name: str, password: str, role: Role | None) -> User:
    from app.store import migrate
    from app.store.database import Database
    from app.store.operators import create_operator
    from app.store.passwords import hash_password

    await migrate.check(url)
    database = Database(url)
    try:
        now_ms = time.time_ns() // 1_000_000
        return await create_operator(database, name, hash_password(password), role, now_ms)
    finally:
        await database.close()
