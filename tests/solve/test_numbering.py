"""The numbering of positions: the names of its tiers."""

import damier
from damier.solve.numbering import tier_names


def test_tiers_are_named_in_every_language() -> None:
    names = tier_names(damier.load("chefa"))
    assert names["3 pawns placed"].render("fr") == "3 pions posés"
    assert list(tier_names(damier.load("omba")))[1] == "1 and 0 pieces in hand"
    assert tier_names(damier.load("sensei")) == {}
