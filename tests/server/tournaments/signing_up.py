"""Accounts for tests."""

from fastapi.testclient import TestClient

from tests.server.accounts import PASSWORD, make, sign_in


def sign_up(client: TestClient, name: str) -> TestClient:
    """Signs a browser in to the account of a name, which is made if there is none."""
    if client.get(f"/api/people/{name}").status_code == 404:
        make(client, name, PASSWORD)
    else:
        sign_in(client, name)
    return client
