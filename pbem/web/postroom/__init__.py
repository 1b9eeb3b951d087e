"""The post room, for development: every mail of the installation, as its reader sees it.

What is written here leaves as a real mail through SMTP and comes back by the same way
as anybody's.  It is registered only where settings allow it, and answers this machine
only.
"""

from pbem.web.postroom.routes import blueprint

__all__ = ["blueprint"]
