"""Letters: who gets which, what it says, and how it looks.

`announce` decides and queues (in the transaction of what happened); `render` turns a
row of the outbox into subject, text and HTML, at any later time, from the position it
belongs to and from what its reader may know.
"""

from pbem.letters.site import Site

__all__ = ["Site"]
