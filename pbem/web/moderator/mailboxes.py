"""`/moderator/mailboxes`: the mailboxes that are read by IMAP, and what was left alone there."""

import re

from flask import abort, render_template, request
from sqlmodel import col, select

from pbem.moderation.lists import PAGE
from pbem.store import Mailbox, MailboxEntry
from pbem.web import installation
from pbem.web.moderator.guard import blueprint, signed_in

LEFT_ALONE = ("no concern", "too large")


@blueprint.get("/mailboxes")
def mailboxes() -> str:
    """Each mailbox with its state, and the mails of no concern, the newest first."""
    if not signed_in().powers.everywhere:
        abort(404)
    before = request.args.get("before", "")
    query = select(MailboxEntry).where(col(MailboxEntry.verdict).in_(LEFT_ALONE))
    if re.fullmatch(r"[0-9]{1,9}", before):
        query = query.where(col(MailboxEntry.id) < int(before))
    with installation().store.read() as session:
        entries = list(session.exec(query.order_by(col(MailboxEntry.id).desc()).limit(PAGE + 1)))
        return render_template(
            "moderator/mailboxes.html",
            boxes=list(session.exec(select(Mailbox).order_by(col(Mailbox.name)))),
            entries=entries[:PAGE],
            more=entries[PAGE - 1].id if len(entries) > PAGE else None,
        )
