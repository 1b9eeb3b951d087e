"""What moderators say to everybody: the notice above every page, and `/house-rules`."""

from pbem.web.notices.routes import blueprint

__all__ = ["blueprint"]
