"""Errors that users make. Each carries one sentence that says what is wrong and what would be right."""

from damier.core.messages import Message


class DamierError(ValueError):
    """A user's mistake; `str()` is the sentence in English."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def sentence(self, lang: str = "en") -> str:
        """Returns the sentence in a language."""
        return self.message.render(lang)

    def __str__(self) -> str:
        return self.sentence()


class UnknownGame(DamierError):
    """There is no game of this name."""


class BadOption(DamierError):
    """The game has no such option, or the option does not take this value."""


class BadPosition(DamierError):
    """A position string does not describe a position of the game."""


class IllegalAction(DamierError):
    """The action is malformed or not legal now."""


class BadRecord(DamierError):
    """The recorded game cannot be read."""


class BadArgument(DamierError):
    """The function or command does not take this value."""
