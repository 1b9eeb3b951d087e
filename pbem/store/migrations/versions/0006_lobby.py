"""Open tables that anybody may join, and games that anybody may watch."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_LOBBY = sa.text("lobby AND status = 'inviting'")
_WATCHED = sa.text("watch_turns IS NOT NULL AND status = 'running'")


def upgrade() -> None:
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.add_column(sa.Column("lobby", sa.Boolean(), server_default="0", nullable=False))
        batch_op.add_column(sa.Column("watch_turns", sa.Integer(), nullable=True))
        batch_op.create_index(
            "ix_game_lobby", ["created_at"], sqlite_where=_LOBBY, postgresql_where=_LOBBY
        )
        batch_op.create_index(
            "ix_game_watched", ["id"], sqlite_where=_WATCHED, postgresql_where=_WATCHED
        )


def downgrade() -> None:
    raise NotImplementedError("restore the backup that was taken before the upgrade")
