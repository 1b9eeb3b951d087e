"""What the dashboard asks for quickly; moderators' second factor, deputies and time off."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "deputy",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("deputy_id", sa.Integer(), nullable=False),
        sa.Column("named_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.CheckConstraint("person_id <> deputy_id", name=op.f("ck_deputy_another")),
        sa.ForeignKeyConstraint(
            ["deputy_id"], ["person.id"], name=op.f("fk_deputy_deputy_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_deputy_person_id_person")
        ),
        sa.PrimaryKeyConstraint("person_id", "deputy_id", name=op.f("pk_deputy")),
    )
    op.create_table(
        "leave",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("first_day", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("last_day", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("starts_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("ends_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("ended_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_leave_person_id_person")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leave")),
    )
    with op.batch_alter_table("leave", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_leave_person_id"), ["person_id"], unique=False)

    op.create_table(
        "recovery_code",
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("used_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_recovery_code_person_id_person")
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_recovery_code")),
    )
    with op.batch_alter_table("recovery_code", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_recovery_code_person_id"), ["person_id"], unique=False)

    op.create_table(
        "second_factor",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("nonce", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("confirmed_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_second_factor_person_id_person")
        ),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_second_factor")),
    )
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.create_index(
            "ix_address_bounced_at",
            ["bounced_at"],
            unique=False,
            sqlite_where=sa.text("bounced_at IS NOT NULL"),
            postgresql_where=sa.text("bounced_at IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_address_paused_at",
            ["paused_at"],
            unique=False,
            sqlite_where=sa.text("paused_at IS NOT NULL"),
            postgresql_where=sa.text("paused_at IS NOT NULL"),
        )

    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.create_index("ix_audit_action_id", ["action", "id"], unique=False)
        batch_op.create_index("ix_audit_subject_id", ["subject_id"], unique=False)

    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.create_index("ix_game_finished_at", ["finished_at"], unique=False)
        batch_op.create_index(
            "ix_game_halted_at",
            ["halted_at"],
            unique=False,
            sqlite_where=sa.text("halted_at IS NOT NULL"),
            postgresql_where=sa.text("halted_at IS NOT NULL"),
        )
        batch_op.create_index("ix_game_name", ["name"], unique=False)
        batch_op.create_index(
            "ix_game_paused_at",
            ["paused_at"],
            unique=False,
            sqlite_where=sa.text("paused_at IS NOT NULL"),
            postgresql_where=sa.text("paused_at IS NOT NULL"),
        )
        batch_op.create_index("ix_game_started_at", ["started_at"], unique=False)
        batch_op.create_index("ix_game_status_due_at", ["status", "due_at", "id"], unique=False)
        batch_op.create_index("ix_game_status_id", ["status", "id"], unique=False)
        batch_op.create_index(
            "ix_game_status_waiting_since", ["status", "waiting_since", "id"], unique=False
        )

    with op.batch_alter_table("mail", schema=None) as batch_op:
        batch_op.create_index(
            "ix_mail_bounces",
            ["received_at"],
            unique=False,
            sqlite_where=sa.text("kind = 'bounce'"),
            postgresql_where=sa.text("kind = 'bounce'"),
        )

    with op.batch_alter_table("person", schema=None) as batch_op:
        batch_op.create_index("ix_person_name", ["name"], unique=False)

    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(
            "ix_seat_offered_at",
            ["offered_at"],
            unique=False,
            sqlite_where=sa.text("offered_at IS NOT NULL"),
            postgresql_where=sa.text("offered_at IS NOT NULL"),
        )

    with op.batch_alter_table("sitting", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("awaits_code", sa.Boolean(), server_default="0", nullable=False)
        )

    with op.batch_alter_table("wait", schema=None) as batch_op:
        batch_op.create_index(
            "ix_wait_ended_at", ["ended_at", "outcome", "took_seconds", "missed"], unique=False
        )


def downgrade() -> None:
    raise NotImplementedError("restore the backup that was taken before the upgrade")
