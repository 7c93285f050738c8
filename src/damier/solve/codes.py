"""The codes of table entries, for the player on move: outcome and distance with best play, or the chance to win."""

CODING = "win-draw-loss-8"

DRAWN = 0  # while a table is built: drawn or unknown
WON = 127  # already; n from 1 to 126 is a win in n plies
LOST = 128  # already; 128 + n up to 253 is a loss in n plies
MARKED = 254  # while a table is built: may be lost, to be examined
FREE = 255  # a number without a position
MOST_PLIES = 124
SAFE = 126  # while a table is built: not lost, may be won; above MOST_PLIES, so never a distance

CHANCE_CODING = "chance-16"

CERTAIN = 64800  # the chance 1 in 16 bits; hundredths and the mean of up to four rolls are whole numbers
