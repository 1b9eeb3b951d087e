"""Actions on many done a few at a time, ratings counted anew a few games at a time, and the
names people had before."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bulk_action",
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.Column("shown_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("ended_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["audit_id"], ["audit.id"], name=op.f("fk_bulk_action_audit_id_audit")
        ),
        sa.PrimaryKeyConstraint("audit_id", name=op.f("pk_bulk_action")),
    )
    op.create_index(
        "ix_bulk_action_open",
        "bulk_action",
        ["audit_id"],
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_table(
        "bulk_game",
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["audit_id"],
            ["bulk_action.audit_id"],
            name=op.f("fk_bulk_game_audit_id_bulk_action"),
        ),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_bulk_game_game_id_game")),
        sa.PrimaryKeyConstraint("audit_id", "game_id", name=op.f("pk_bulk_game")),
    )
    op.create_table(
        "recount",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("finished_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recount")),
    )
    op.create_table(
        "earlier_name",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_earlier_name_person_id_person")
        ),
        sa.PrimaryKeyConstraint("person_id", "name", name=op.f("pk_earlier_name")),
    )
    _all_names()


def downgrade() -> None:
    raise NotImplementedError("restore the backup that was taken before the upgrade")


def _all_names() -> None:
    """What is being erased now looks for the one name it knows."""
    with op.batch_alter_table("erasure", schema=None) as batch_op:
        batch_op.add_column(sa.Column("names", sa.JSON(), server_default="[]", nullable=False))
    connection = op.get_bind()
    erasure = sa.table(
        "erasure", sa.column("person_id"), sa.column("name"), sa.column("names", sa.JSON())
    )
    for person_id, name in connection.execute(sa.select(erasure.c.person_id, erasure.c.name)).all():
        connection.execute(
            erasure.update().where(erasure.c.person_id == person_id).values(names=[name])
        )
    with op.batch_alter_table("erasure", schema=None) as batch_op:
        batch_op.alter_column("names", server_default=None)
        batch_op.drop_column("name")
