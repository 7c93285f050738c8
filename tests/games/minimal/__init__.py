"""Three in a row: a game of rules and notation alone, to see that everything else has a default."""

from damier.core.definition import Definition
from tests.games.minimal import notation, rules

GAME = Definition(name="rows", rules=rules, notation=notation)
