"""Every installation here is on PostgreSQL."""

import pytest


@pytest.fixture
def database(postgresql_url: str) -> str:
    return postgresql_url
