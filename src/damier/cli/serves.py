"""The command that serves pages and matches: serve."""

import argparse

from damier.core.messages import message
from damier.server.run import serve as serve_pages
from damier.server.settings import Settings


def serve(chosen: argparse.Namespace) -> None:
    """Serves until Ctrl-C, and opens the browser if that is wanted."""
    settings = Settings.read(vars(chosen))

    def tell(address: str) -> None:
        print(message("damier is at {address} (Ctrl-C ends it)", address=address).render(chosen.lang), flush=True)

    serve_pages(settings, opens_browser=chosen.browser, tell=tell)
