"""The archive: facts, statistics, ratings and profiles; the tokens of the API."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_UNFILED = sa.text(
    "coalesce(filed_as, '') <> "
    "CASE WHEN status = 'over' AND voided_at IS NULL THEN archive ELSE '' END"
)
_PURPOSES = (
    "'seat', 'invitation', 'person', 'page', 'confirm', "
    "'address', 'undo', 'sign-in', 'unsubscribe', 'feed', 'calendar', 'api'"
)


def upgrade() -> None:
    op.create_table(
        "archive_category",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("deck", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("length", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("result", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "length IN ('short', 'medium', 'long')", name=op.f("ck_archive_category_length")
        ),
        sa.CheckConstraint(
            "result IN ('close', 'clear', 'shared')", name=op.f("ck_archive_category_result")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_archive_category")),
        sa.UniqueConstraint(
            "deck",
            "players",
            "length",
            "result",
            "listed",
            name=op.f("uq_archive_category_deck_players_length_result_listed"),
        ),
    )
    op.create_table(
        "statistic",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("deck", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("what", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "what IN ('games', 'seat', 'kind', 'card', 'drive-out', 'length', 'pace', 'total', 'pet')",
            name=op.f("ck_statistic_what"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_statistic")),
        sa.UniqueConstraint(
            "deck", "players", "what", "key", name=op.f("uq_statistic_deck_players_what_key")
        ),
    )
    op.create_table(
        "profile",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("name_key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_profile_person_id_person")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_profile")),
        sa.UniqueConstraint("name_key", name=op.f("uq_profile_name_key")),
        sa.UniqueConstraint("person_id", name=op.f("uq_profile_person_id")),
    )
    op.create_table(
        "rating",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_rating_person_id_person")
        ),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_rating")),
    )
    op.create_table(
        "finished_game",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("category_id", sa.Integer(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("finished_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=False),
        sa.Column("margin", sa.Integer(), nullable=False),
        sa.Column("swing", sa.Integer(), nullable=False),
        sa.Column("swing_turn", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.ForeignKeyConstraint(
            ["category_id"],
            ["archive_category.id"],
            name=op.f("fk_finished_game_category_id_archive_category"),
        ),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_finished_game_game_id_game")
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_finished_game")),
    )
    with op.batch_alter_table("finished_game", schema=None) as batch_op:
        batch_op.create_index(
            "ix_finished_game_category", ["category_id", "finished_at", "game_id"]
        )
        batch_op.create_index("ix_finished_game_digest", ["digest"])
        batch_op.create_index("ix_finished_game_newest", ["listed", "finished_at", "game_id"])
        batch_op.create_index("ix_finished_game_rated", ["finished_at", "game_id"])

    op.create_table(
        "drive_out",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("category_id", sa.Integer(), nullable=False),
        sa.Column("finished_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("driver", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("victim", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.ForeignKeyConstraint(
            ["category_id"],
            ["archive_category.id"],
            name=op.f("fk_drive_out_category_id_archive_category"),
        ),
        sa.ForeignKeyConstraint(
            ["game_id"], ["finished_game.game_id"], name=op.f("fk_drive_out_game_id_finished_game")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_drive_out")),
        sa.UniqueConstraint(
            "game_id", "driver", "victim", name=op.f("uq_drive_out_game_id_driver_victim")
        ),
    )
    with op.batch_alter_table("drive_out", schema=None) as batch_op:
        batch_op.create_index(
            "ix_drive_out_driver", ["driver", "category_id", "finished_at", "game_id"]
        )
        batch_op.create_index(
            "ix_drive_out_pair", ["driver", "victim", "category_id", "finished_at", "game_id"]
        )
        batch_op.create_index(
            "ix_drive_out_victim", ["victim", "category_id", "finished_at", "game_id"]
        )

    op.create_table(
        "finished_seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("name_key", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("finished_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=True),
        sa.Column("sigma", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["finished_game.game_id"],
            name=op.f("fk_finished_seat_game_id_finished_game"),
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_finished_seat_person_id_person")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_finished_seat")),
        sa.UniqueConstraint("game_id", "seat", name=op.f("uq_finished_seat_game_id_seat")),
    )
    with op.batch_alter_table("finished_seat", schema=None) as batch_op:
        batch_op.create_index("ix_finished_seat_name", ["name_key", "finished_at", "game_id"])
        batch_op.create_index("ix_finished_seat_person", ["person_id", "finished_at", "game_id"])

    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column(
                "rules",
                sqlmodel.sql.sqltypes.AutoString(),
                server_default="ark-1",
                nullable=False,
            )
        )
        batch_op.add_column(
            sa.Column("filed_as", sqlmodel.sql.sqltypes.AutoString(), nullable=True)
        )
        batch_op.create_index(
            "ix_game_unfiled",
            ["finished_at", "id"],
            sqlite_where=_UNFILED,
            postgresql_where=_UNFILED,
        )

    with op.batch_alter_table("token") as batch_op:
        batch_op.drop_constraint(op.f("ck_token_purpose"), type_="check")
        batch_op.create_check_constraint(op.f("ck_token_purpose"), f"purpose IN ({_PURPOSES})")


def downgrade() -> None:
    raise NotImplementedError("restore the backup that was taken before the upgrade")
