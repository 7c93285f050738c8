"""The wire format: every HTTP answer, every request and every socket message is a model of this package.

One declaration serves four readers: mypy checks the code that fills it, pydantic checks requests and encodes answers,
FastAPI describes it in `/api/openapi.json`, and the types of the client are generated from that description (see
`damier.server.openapi`). Keys are the field names.

Answers are built from models rather than from dictionaries: with pydantic's encoder, an event costs no more than it did
with dictionaries and the standard library's (`docs/server.md` has the figures).
"""
