"""The command line. Each command is a small module with ``add_parser(subparsers)`` and ``run(args)``.

``run`` answers with the exit status. Commands import what they need inside ``run``, so that
none pays for another's start-up. Source: PROTOCOL §1.
"""
