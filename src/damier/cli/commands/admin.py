"""``damier admin``: manages the accounts of a server, also while it runs, and its database."""

import argparse
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from damier.cli.arguments import Parser, add_database, chosen_database
from damier.cli.output import print_json
from damier.core.errors import BadArgument
from damier.core.messages import message, shown

if TYPE_CHECKING:
    from damier.core.messages import Message
    from damier.server.people.account import Account

EXAMPLES = """
damier admin list
damier admin moderator Ann
damier admin ban Bob --until 2030-12-31
damier admin ban Bob --remove
damier admin rename Bob Robert --json
damier admin program Robin
damier admin vacuum
"""


def add_arguments(parser: Parser) -> None:
    """Adds what to do, with whom, and the database."""
    parser.add_argument("what", metavar="ACTION", choices=tuple(_ACTIONS), help=f"one of {', '.join(_ACTIONS)}")
    parser.add_argument("name", metavar="NAME", nargs="?", help="the account")
    parser.add_argument("new", metavar="NEW", nargs="?", help="with rename: its new name")
    parser.add_argument("--remove", action="store_true", help="with moderator and ban: the opposite")
    parser.add_argument("--until", metavar="DAY", help="with ban: the day on which it ends (default: never)")
    add_database(parser)


def run(arguments: argparse.Namespace) -> None:
    """Carries the action out and prints what is so now."""
    _refuse_senseless(arguments)
    _ACTIONS[arguments.what](arguments)


def _refuse_senseless(arguments: argparse.Namespace) -> None:
    what, given = arguments.what, vars(arguments)
    needed = {"list": (), "vacuum": (), "rename": ("name", "new")}.get(what, ("name",))
    allowed = {*needed, *{"moderator": ("remove",), "ban": ("remove", "until")}.get(what, ())}
    names = {"name": "NAME", "new": "NEW", "remove": "--remove", "until": "--until"}
    for each in needed:
        if given[each] is None:
            raise BadArgument(message("{what} needs {argument}.", what=what, argument=names[each]))
    for each in names:
        if given[each] and each not in allowed:
            raise BadArgument(message("{what} takes no {argument}.", what=what, argument=names[each]))


def _list(arguments: argparse.Namespace) -> None:
    from damier.server.store.administration import list_accounts

    accounts = list_accounts(chosen_database(arguments))
    if arguments.json:
        print_json([_data(account) for account in accounts])
        return
    for account in accounts:
        marks = [mark.render(arguments.lang) for mark in _marks(account)]
        print("  ".join([account.name.ljust(20), account.created[:10], *marks]).rstrip())
    if not accounts:
        print(message("There are no accounts.").render(arguments.lang))


def _moderator(arguments: argparse.Namespace) -> None:
    from damier.server.store.administration import change

    account = change(chosen_database(arguments), arguments.name, is_moderator=not arguments.remove)
    sentences = (
        message("{name} is a moderator.", name=account.name),
        message("{name} is no moderator.", name=account.name),
    )
    _tell(arguments, account, sentences[arguments.remove])


def _program(arguments: argparse.Namespace) -> None:
    from damier.server.store.administration import add_program

    account, token = add_program(chosen_database(arguments), arguments.name)
    if arguments.json:
        print_json({**_data(account), "token": token})
    else:
        print(token)


def _ban(arguments: argparse.Namespace) -> None:
    from damier.server.people.account import FOR_EVER
    from damier.server.store.administration import change

    until = None if arguments.remove else _end_of_ban(arguments.until) if arguments.until else FOR_EVER
    account = change(chosen_database(arguments), arguments.name, banned_until=until)
    if until is None:
        sentence = message("{name} is not banned.", name=account.name)
    elif until == FOR_EVER:
        sentence = message("{name} is banned for good.", name=account.name)
    else:
        sentence = message("{name} is banned until {day}.", name=account.name, day=until[:10])
    _tell(arguments, account, sentence)


def _end_of_ban(text: str) -> str:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise BadArgument(message("{text} is no day: write it as 2030-12-31.", text=shown(text))) from None
    if day <= datetime.now(UTC).date():
        raise BadArgument(message("{text} is past: choose a later day.", text=shown(text)))
    return f"{day}T00:00:00.000Z"


def _rename(arguments: argparse.Namespace) -> None:
    from damier.server.store.administration import rename

    account = rename(chosen_database(arguments), arguments.name, arguments.new)
    _tell(arguments, account, message("{old} is called {new} now.", old=arguments.name, new=account.name))


def _vacuum(arguments: argparse.Namespace) -> None:
    from damier.server.store.maintenance import vacuum
    from damier.solve.build.solver import size_text

    before, after = vacuum(chosen_database(arguments))
    if arguments.json:
        print_json({"before": before, "after": after})
        return
    sizes = {"before": size_text(int(before)), "after": size_text(int(after))}
    print(message("The database has {after}; it had {before}.", **sizes).render(arguments.lang))


def _tell(arguments: argparse.Namespace, account: "Account", sentence: "Message") -> None:
    if arguments.json:
        print_json(_data(account))
    else:
        print(sentence.render(arguments.lang))


def _data(account: "Account") -> dict[str, Any]:
    shown_parts = ("name", "is_program", "is_moderator", "banned_until", "created")
    return {part: getattr(account, part) for part in shown_parts}


def _marks(account: "Account") -> list["Message"]:
    from damier.server.people.account import FOR_EVER
    from damier.server.store.store import now

    marks = []
    if account.is_program:
        marks.append(message("program"))
    if account.is_moderator:
        marks.append(message("moderator"))
    if account.is_banned(now()):
        day = (account.banned_until or "")[:10]
        is_for_good = account.banned_until == FOR_EVER
        marks.append(message("banned for good") if is_for_good else message("banned until {day}", day=day))
    return marks


_ACTIONS = {
    "list": _list,
    "moderator": _moderator,
    "program": _program,
    "ban": _ban,
    "rename": _rename,
    "vacuum": _vacuum,
}
