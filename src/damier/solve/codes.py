"""What an entry of a table means, for the player on move: how a game ends with best play, or the chance to win it."""

CODING = "win-draw-loss-8"

DRAWN = 0  # while a table is built: or not known yet
WON = 127  # already; 1 to 126 are wins in so many plies
LOST = 128  # already; 129 to 253 are losses in so many plies less 128
MARKED = 254  # while a table is built: perhaps lost
FREE = 255  # a number that no position has
MOST_PLIES = 124
SAFE = 126  # while a table is built: not lost, perhaps won; as a win in so many plies it would be too far

CHANCE_CODING = "chance-16"

CERTAIN = 64800  # the chance 1 in 16 bits; hundredths and the mean of up to four rolls are whole numbers
