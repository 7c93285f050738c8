"""Requests about records: reading and writing them, pictures of a board, and setting up positions."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from damier.server.dependencies import PageDesk
from damier.server.front.visitors import language
from damier.server.openapi import body_of
from damier.server.records.reading import read_record
from damier.server.records.setup import board_picture, set_up_position
from damier.server.records.writing import write_record
from damier.server.wire.records import (
    PictureData,
    PictureRequest,
    RecordData,
    RecordDraft,
    RecordOutput,
    RecordText,
    SetupData,
    SetupRequest,
)

router = APIRouter(prefix="/api/records")


@router.post("/read", response_model=RecordData)
async def read(source: RecordText, desk: PageDesk) -> Response:
    """The contents of a record, checked by the rules."""
    return await desk.answer(read_record, source)


@router.post("/write", response_model=RecordOutput, openapi_extra=body_of(RecordDraft))
async def write(request: Request, desk: PageDesk) -> Response:
    """The text of a record; a large tree is read where it is worked on."""
    return await desk.answer(write_record, await request.body())


@router.post("/picture", response_model=PictureData)
async def picture(wanted: PictureRequest, request: Request, desk: PageDesk) -> Response:
    """A picture of the board as SVG."""
    return await desk.answer(board_picture, wanted, language(request))


@router.post("/setup", response_model=SetupData)
async def setup(wanted: SetupRequest, request: Request, desk: PageDesk) -> Response:
    """The position string of a board that is being set up, and what is still wrong with it.

    Parts that are not given are kept, or taken from the first position where they are wrong.
    """
    return await desk.answer(set_up_position, wanted, language(request))
