"""What a person can do wrong. Each error carries one sentence that says what was wrong and what would be right."""

from damier.core.messages import Message


class DamierError(ValueError):
    """A person's mistake; `str()` is the sentence in English."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def sentence(self, lang: str = "en") -> str:
        """Returns the sentence in a language."""
        return self.message.render(lang)

    def __str__(self) -> str:
        return self.sentence()


class UnknownGame(DamierError):
    """A game was named that does not exist."""


class BadOption(DamierError):
    """An option was given that the game does not have, or a value that it does not take."""


class BadPosition(DamierError):
    """A position string does not describe a position of the game."""


class IllegalAction(DamierError):
    """An action was played that is malformed or not allowed now."""


class BadRecord(DamierError):
    """A recorded game cannot be read."""


class BadArgument(DamierError):
    """A number or a choice was given that the function or command does not take."""
