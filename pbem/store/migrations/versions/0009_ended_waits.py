"""index of ended waits without the open ones"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

NAME, COLUMNS = "ix_wait_ended_at", ["ended_at", "outcome", "took_seconds", "missed"]


def upgrade() -> None:
    op.drop_index(NAME, table_name="wait")
    ended = sa.text("ended_at IS NOT NULL")
    op.create_index(NAME, "wait", COLUMNS, sqlite_where=ended, postgresql_where=ended)


def downgrade() -> None:
    op.drop_index(NAME, table_name="wait")
    op.create_index(NAME, "wait", COLUMNS)
