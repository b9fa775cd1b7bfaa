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
    from app.economy.users import Name, User


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
    from app.api.errors import Refused
    from app.api.look_alikes import look_alike_key
    from app.api.names import clean_name
    from app.api.passwords import usable
    from app.economy.operators import Role
    from app.economy.users import Name, NameTaken
    from app.store.migrate import SchemaError

    try:
        shown = clean_name(args.name)
        name = Name(shown, look_alike_key(shown))
        password = usable(_password(), name)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    except Refused as refusal:
        print(f"{refusal.code}: {refusal.more.get('why')}", file=sys.stderr)
        return 2
    url = read_settings(database_url=args.database_url).database_url
    try:
        user = asyncio.run(_create(url, name, password, Role(args.role) if args.role else None))
    except SchemaError as error:
        print(error, file=sys.stderr)
        return 2
    except NameTaken:
        print(f"the name {shown} is taken, or one that looks like it", file=sys.stderr)
        return 1
    print(json.dumps({"id": user.id, "name": user.name, "role": user.role}, ensure_ascii=False))
    return 0


def _password() -> str:
    """Asked for twice at a terminal, else the first line of stdin.

    Raises:
        ValueError: the two differ.
    """
    if sys.stdin.isatty():
        password = getpass.getpass("Password: ")
        if getpass.getpass("Again: ") != password:
            raise ValueError("the passwords differ")
        return password
    return sys.stdin.readline().rstrip("\r\n")


async def _create(url: str, name: Name, password: str, role: Role | None) -> User:
    from argon2 import PasswordHasher

    from app.store import migrate
    from app.store.database import Database
    from app.store.operators import create_operator

    await migrate.check(url)
    database = Database(url)
    try:
        now_ms = time.time_ns() // 1_000_000
        return await create_operator(database, name, PasswordHasher().hash(password), role, now_ms)
    finally:
        await database.close()
