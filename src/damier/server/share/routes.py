"""Sharing: pages for frames, pictures for links, oEmbed, and the head of shared pages."""

from __future__ import annotations

from html import escape
from typing import Annotated
from urllib.parse import parse_qsl, urlencode, urlsplit

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from damier.core.errors import DamierError
from damier.server import assets
from damier.server.dependencies import PageDesk, Pages, SharedServices, shared_services
from damier.server.front.visitors import language
from damier.server.matches.match_data import summary
from damier.server.people.nicknames import given_nickname
from damier.server.share.pictures import HEIGHT, WIDTH, link_png
from damier.server.share.target import SharedGame, line_of, shared_at
from damier.server.wire.games import GameLine
from damier.server.wire.me import VisitData
from damier.server.wire.share import OEmbedAnswer

router = APIRouter()

FRAME_WIDTH, FRAME_HEIGHT = 420, 540
_LISTED = 6  # matches on the first page


# Pictures ------------------------------------------------------------------------------------------------------------


@router.get("/api/pictures/match/{number}.png", response_class=Response)
async def match_picture(number: str, request: Request, services: SharedServices, desk: PageDesk) -> Response:
    """A match as it stands, as a picture for links."""
    line = (await services.referee.find(number)).match.line()
    return await _picture(desk, line, language(request), seconds=60)


@router.get("/api/pictures/position.png", response_class=Response)
async def position_picture(game: str, request: Request, desk: PageDesk) -> Response:
    """A position, or a game given by its actions, as a picture for links."""
    query = {key: value for key, value in request.query_params.items() if key != "game"}
    return await _picture(desk, line_of(game, query), language(request), seconds=86_400)


async def _picture(desk: PageDesk, line: GameLine, lang: str, seconds: int) -> Response:
    found = await desk.run_once(link_png, line.model_dump_json(), lang)
    return Response(found, media_type="image/png", headers={"Cache-Control": f"public, max-age={seconds}"})


# Pages ---------------------------------------------------------------------------------------------------------------


async def shared_page(request: Request) -> HTMLResponse:
    """Serves the page, whose scripts show what the address names; its head describes that for other sites."""
    page, kept, services = assets.page("index.html"), Response(), shared_services(request)
    visitor = services.visitors.recognise(request, kept)
    try:
        shared = await shared_at(services, Pages(request), request.url.path, request.query_params, language(request))
    except DamierError:
        shared = None  # the page says what is wrong
    if shared:
        page = page.replace("<title>damier</title>", _head(shared, request), 1)
    page = page.replace("</head>", f"{await _visit(request, visitor)}</head>", 1)
    answer = HTMLResponse(page, headers={"Cache-Control": "private, no-cache"})
    answer.raw_headers += [(name, value) for name, value in kept.raw_headers if name == b"set-cookie"]
    return answer


async def _visit(request: Request, visitor: str) -> str:
    """Returns what the page holds about its visitor, as JSON that scripts read: it saves them requests."""
    services, lang = shared_services(request), language(request)
    try:
        nickname = await services.referee.nickname(visitor)
        found = await services.referee.recent(visitor) if request.url.path == "/" else None
    except DamierError:
        nickname, found = given_nickname(visitor), None  # the page asks for the matches and shows why it fails
    matches = found if found is None else [summary(live.snapshot(visitor, lang)) for live in found]
    if matches:
        matches = sorted(matches, key=lambda each: each.result is not None)[:_LISTED]
    identity = services.visitors.identity(request)
    account = identity.account.name if identity else None
    told = VisitData(nickname=account or nickname, account=account, lang=lang, matches=matches)
    data = told.model_dump_json().replace("<", "\\u003c")
    return f'<script type="application/json" id="visit">{data}</script>'


def _head(shared: SharedGame, request: Request) -> str:
    """Returns the head of a shared page: Open Graph tags and the address for oEmbed."""
    origin = _origin(request)
    asked = urlencode({"url": origin + shared.page, "format": "json"})
    facts = {
        "og:site_name": "damier",
        "og:type": "website",
        "og:title": shared.title,
        "og:description": shared.sentence,
        "og:url": origin + shared.page,
        "og:image": origin + shared.picture,
        "og:image:type": "image/png",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": shared.sentence,
        "og:locale": {"fr": "fr_FR", "de": "de_DE"}.get(language(request), "en_GB"),
    }
    lines = [f"<title>{escape(shared.title)} · damier</title>"]
    lines += [f'<meta property="{name}" content="{escape(value)}">' for name, value in facts.items()]
    lines.append('<meta name="twitter:card" content="summary_large_image">')
    lines.append(
        f'<link rel="alternate" type="application/json+oembed" href="{escape(f"{origin}/oembed?{asked}")}" '
        f'title="{escape(shared.title)}">'
    )
    return "\n".join(lines)


def _origin(request: Request) -> str:
    """Returns the public address of the server, without a slash at the end."""
    return shared_services(request).settings.origin.rstrip("/") or str(request.base_url).rstrip("/")


@router.get("/embed/{name}", include_in_schema=False)
@router.get("/embed/match/{number}", include_in_schema=False)
@router.get("/embed/puzzle/{name}/{number}", include_in_schema=False)
async def embedded(request: Request) -> HTMLResponse:
    """Serves the page for frames, in the theme and language of the query."""
    page = assets.page("embed.html")
    theme = request.query_params.get("theme")
    chosen = f' data-theme="{theme}"' if theme in ("light", "dark") else ""
    page = page.replace('<html lang="en">', f'<html lang="{language(request)}"{chosen}>', 1)
    return HTMLResponse(page, headers={"Cache-Control": "no-cache"})


# oEmbed --------------------------------------------------------------------------------------------------------------


@router.get("/oembed", responses={501: {"description": "The format is not JSON"}})
async def oembed(
    url: str,
    request: Request,
    services: SharedServices,
    desk: PageDesk,
    form: Annotated[str, Query(alias="format")] = "json",
    maxwidth: int = 0,
    maxheight: int = 0,
) -> OEmbedAnswer:
    """What other sites show for an address of ours: https://oembed.com."""
    if form != "json":
        raise HTTPException(501)
    origin = _origin(request)
    try:
        asked = urlsplit(url)
    except ValueError:
        raise HTTPException(404) from None
    if asked.netloc != urlsplit(origin).netloc:
        raise HTTPException(404)
    try:
        shared = await shared_at(services, desk, asked.path, dict(parse_qsl(asked.query)), language(request))
    except DamierError:
        shared = None
    if shared is None:
        raise HTTPException(404)
    return _rich(shared, origin, maxwidth, maxheight)


def _rich(shared: SharedGame, origin: str, most_wide: int, most_high: int) -> OEmbedAnswer:
    wide = min(FRAME_WIDTH, most_wide) if most_wide > 0 else FRAME_WIDTH
    high = min(FRAME_HEIGHT, most_high) if most_high > 0 else FRAME_HEIGHT
    source, title = escape(origin + shared.embedded), escape(shared.title)
    return OEmbedAnswer(
        version="1.0",
        type="rich",
        provider_name="damier",
        provider_url=origin,
        title=shared.title,
        cache_age=3600,
        width=wide,
        height=high,
        html=f'<iframe src="{source}" width="{wide}" height="{high}" title="{title}" style="border:0"></iframe>',
        thumbnail_url=origin + shared.picture,
        thumbnail_width=WIDTH,
        thumbnail_height=HEIGHT,
    )
