"""Mail coming in from a mailbox, by IMAP (RFC 3501): a thread that waits for new mail,
takes what is for us, and leaves everything else as it was."""

from pbem.intake.imap.connection import Connection, ImapTrouble
from pbem.intake.imap.reader import ImapReader

__all__ = ["Connection", "ImapReader", "ImapTrouble"]
