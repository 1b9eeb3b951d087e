"""Names by the beginnings of their words, and the figures of each day."""

import unicodedata
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_BY_BYTES = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_BATCH = 10_000


def upgrade() -> None:
    for named in ("person", "game"):
        table, key = f"{named}_name", f"{named}_id"
        op.create_table(
            table,
            sa.Column("start", _BY_BYTES, nullable=False),
            sa.Column(key, sa.Integer(), nullable=False),
            sa.ForeignKeyConstraint([key], [f"{named}.id"], name=op.f(f"fk_{table}_{key}_{named}")),
            sa.PrimaryKeyConstraint("start", key, name=op.f(f"pk_{table}")),
            sqlite_with_rowid=False,
        )
        _fill(named)
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.create_index(op.f(f"ix_{table}_{key}"), [key], unique=False)
    op.create_table(
        "daily_figures",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("counted", sa.Integer(), nullable=True),
        sa.Column("begun", sa.Integer(), nullable=False),
        sa.Column("ended", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("sent", sa.Integer(), nullable=False),
        sa.Column("bounces", sa.Integer(), nullable=False),
        sa.Column("answer_hours", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_daily_figures")),
    )
    op.create_index(
        "ix_person_substitute",
        "person",
        ["substitute_since", "id"],
        sqlite_where=sa.text("substitute_since IS NOT NULL"),
        postgresql_where=sa.text("substitute_since IS NOT NULL"),
    )


def downgrade() -> None:
    raise NotImplementedError("restore the backup that was taken before the upgrade")


def _fill(named: str) -> None:
    """The names there are, as the program of this revision takes them apart."""
    connection = op.get_bind()
    source = sa.table(named, sa.column("id"), sa.column("name"))
    target = sa.table(f"{named}_name", sa.column("start"), sa.column(f"{named}_id"))
    after = 0
    while rows := connection.execute(
        sa.select(source.c.id, source.c.name)
        .where(source.c.id > after)
        .order_by(source.c.id)
        .limit(_BATCH)
    ).all():
        after = rows[-1][0]
        starts = [
            {"start": start, f"{named}_id": number}
            for number, name in rows
            for start in dict.fromkeys(_starts(_folded(name)))
        ]
        if starts:
            connection.execute(target.insert(), starts)


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", " ".join(bare.split()))


def _starts(name: str) -> Iterator[str]:
    before = " "
    for place, char in enumerate(name):
        begins = before.isspace() or (char.isalnum() and not before.isalnum())
        if not char.isspace() and (begins or unicodedata.category(char) == "Lo"):
            yield name[place:]
        before = char
