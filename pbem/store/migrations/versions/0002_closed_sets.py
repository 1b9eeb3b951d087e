"""More states of a mail, kinds of tokens and choices of letters."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

CHANGED = {
    ("mail", "state"): "'new', 'done', 'held', 'ignored', 'quarantined', 'discarded', 'expired'",
    ("person", "letters"): "'every', 'mine', 'digest'",
    ("token", "purpose"): "'seat', 'invitation', 'person', 'page', 'confirm', 'address', 'undo',"
    " 'sign-in', 'unsubscribe', 'feed', 'calendar'",
}


def upgrade() -> None:
    for (table, column), values in CHANGED.items():
        name = op.f(f"ck_{table}_{column}")
        with op.batch_alter_table(table) as batch:
            batch.drop_constraint(name, type_="check")
            batch.create_check_constraint(name, f"{column} IN ({values})")


def downgrade() -> None:
    raise NotImplementedError("restore the backup that was taken before the upgrade")
