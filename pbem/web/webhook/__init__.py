"""Mail in by webhook: a mail service posts each mail as it came (raw MIME), signed.

    POST /webhook/mail?sender=ADDRESS&recipient=ADDRESS[&recipient=…]
    X-Ark-Timestamp: seconds since 1970
    X-Ark-Signature: hexadecimal HMAC-SHA-256 under the shared secret

The signature is over the time stamp, the query as it stands, and the body, with a line
end after each of the first two.  Nothing is looked at before it is found right.
"""

import hashlib
import hmac
import logging

from flask import Blueprint, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from pbem.intake.arrival import Arrival, null_or, store_mail
from pbem.intake.recipients import recipient
from pbem.web import forms, installation

log = logging.getLogger(__name__)

TOLERANCE = 300  # seconds a time stamp may differ from our clock
blueprint = Blueprint("webhook", __name__, url_prefix="/webhook")


@blueprint.post("/mail")
@forms.signed_otherwise
def take_mail() -> Response:
    """204 committed to the inbox; 401 not signed right; 404 no such address; 413 too
    large; 503 trouble of our own: try again."""
    here = installation()
    request.max_content_length = here.settings.mail.max_bytes
    try:
        raw = request.get_data(cache=False)
    except RequestEntityTooLarge:
        return _said(413, "this mail is too large for this server")
    if not _is_signed(here.settings.webhook.secret, here.clock().timestamp(), raw):
        return _said(401, "the signature is missing, wrong, or too old")
    recipients = tuple(request.args.getlist("recipient"))
    arrival = Arrival(raw, null_or(request.args.get("sender")), recipients, "webhook")
    try:
        with here.store.work() as session:
            known = (recipient(session, here.settings, here.keys, one) for one in recipients)
            if recipients and not any(known):
                return _said(404, "no such address here")
            store_mail(session, here.clock(), arrival)
    except Exception:  # whatever it was, the mail stays with its sender
        log.exception("a mail could not be stored; its sender was told to try again")
        return _said(503, "not now; please try again later")
    return Response(status=204)


def signature(secret: str, timestamp: str, query: bytes, raw: bytes) -> str:
    """What `X-Ark-Signature` must say."""
    signed = timestamp.encode() + b"\n" + query + b"\n" + raw
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def _is_signed(secret: str, now: float, raw: bytes) -> bool:
    timestamp = request.headers.get("X-Ark-Timestamp", "")
    given = request.headers.get("X-Ark-Signature", "").lower()
    if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > 12:
        return False
    if abs(now - int(timestamp)) > TOLERANCE:
        return False
    expected = signature(secret, timestamp, request.query_string, raw)
    return hmac.compare_digest(expected.encode(), given.encode("utf-8", "replace"))


def _said(status: int, sentence: str) -> Response:
    return Response(sentence + "\n", status=status, mimetype="text/plain")
