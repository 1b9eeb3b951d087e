"""Find what was done with a letter."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.create_index(
            "ix_audit_letter_id",
            ["letter_id"],
            unique=False,
            sqlite_where=sa.text("letter_id IS NOT NULL"),
            postgresql_where=sa.text("letter_id IS NOT NULL"),
        )


def downgrade() -> None:
    raise NotImplementedError("restore the backup that was taken before the upgrade")
