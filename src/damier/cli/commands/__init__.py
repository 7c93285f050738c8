"""The commands, one module each: `EXAMPLES`, `add_arguments` and `run`.

Only the module of the command on the command line is imported. That is why the summaries stand here: ``damier --help``
lists them without importing any command.
"""

#: Every command in the order of ``damier --help``, with its summary.
COMMANDS = {
    "games": "List the games with their options.",
    "rules": "Show the rules of a game.",
    "moves": "List the legal actions of a position, one per line.",
    "show": "Show a board in the terminal, or write it as a picture.",
    "perft": "Count the action sequences of exactly DEPTH actions.",
    "playouts": "Play N random games and summarise the results.",
    "replay": "Replay recorded games and show the boards.",
    "analyse": "Search a position and show the best lines with their winning chances.",
    "review": "Find the mistakes in a recorded game and show how the winning chances changed.",
    "match": "Play a match between two players, or a tournament of several.",
    "engine": "Serve the engine to another program, line by line on the standard streams.",
    "fit": "Fit the weights of a game's evaluation to games the engine plays against itself.",
    "train": "Train the network that judges positions, on games the engine plays against itself.",
    "selfplay": "Write games of the engine against itself to a file of arrays, for learning programs.",
    "solve": "Solve a game exactly and store the table; an interrupted solve is resumed.",
    "probe": "Show the exact value of a position and of every action, from a table.",
    "tables": "List the tables on this machine or a server, fetch one from a server, or remove one.",
    "verify": "Check a table: its checksums, and every entry against its successors by independent rules.",
    "exam": "Measure how much an agent loses by the exact values of a solved game.",
    "report": "Write a page with pictures about what a table says of a game.",
    "puzzles": "List puzzles with exactly one right answer, or make new ones from a table or by search.",
    "serve": "Serve the games in the browser: against the computer, at one board, or with a friend.",
    "admin": "Manage the accounts of a server, also while it runs: moderators, bans, names; vacuum its database.",
    "bot": "Have an engine play on a server, against people and other programs.",
    "backup": "Copy the database of matches, also while a server uses it.",
    "restore": "Put a backup in the place of the database; the replaced one is kept.",
    "check": "Check the database of matches: the file, and every match by the rules.",
    "export": "Write the whole store as JSON lines, secrets included, from SQLite or PostgreSQL.",
    "import": "Fill an empty database, SQLite or PostgreSQL, with an export.",
    "bench": "Measure the speed of this machine and print ratios.",
}
