"""The moderator's pages: sign-in by a link, and the mail room.

Whoever plays at a table does not read its mails here (`closed`); every action is shown
before it is done, gives a reason, and is written into the audit.
"""

import pbem.web.moderator.mailboxes
import pbem.web.moderator.mailroom  # the modules put their pages on the blueprint
import pbem.web.moderator.outbox
import pbem.web.moderator.signing_in  # noqa: F401
from pbem.web.moderator.guard import blueprint

__all__ = ["blueprint"]
