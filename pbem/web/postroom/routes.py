"""`/postroom`: mailboxes, letters, answers."""

from flask import (
    Blueprint,
    Response,
    abort,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from pbem.letters.plain import EXAMPLE_MARK
from pbem.post.content import content_of
from pbem.store import Letter, Mail, Person
from pbem.store.rows import id_of
from pbem.store.wishes import wishes_of
from pbem.web import installation
from pbem.web.postroom import mailboxes, sending
from pbem.web.postroom.guard import refuse_strangers
from pbem.web.postroom.sending import NotTaken
from pbem.web.postroom.writing import WrittenMail, compose, reply_subject
from pbem.web.security import content_policy, personal

blueprint = Blueprint("postroom", __name__, url_prefix="/postroom", template_folder="templates")
blueprint.before_request(refuse_strangers)
blueprint.after_request(personal)

# What a letter may do in its frame: show itself, and open its links beside the post room.
SANDBOX = "allow-same-origin allow-popups allow-popups-to-escape-sandbox"


@blueprint.get("")
def index() -> str | Response:
    """At once the letter that waits for a move; without one, the newest mailbox."""
    with installation().store.read() as session:
        boxes = mailboxes.mailboxes(session)
        if not boxes:
            return _page("postroom/empty.html")
        chosen = boxes[0]
        letters = mailboxes.letters_to(session, chosen.address)
        letter = session.get(Letter, chosen.waiting) if chosen.waiting else None
        return _mailbox(session, chosen.address, letters, letter or mailboxes.to_open(letters))


@blueprint.get("/mailbox/<address>")
def mailbox(address: str) -> Response:
    """One mailbox, its newest letter open; ``?after=`` marks what came later as new."""
    after = _number(request.args.get("after", "0"))
    with installation().store.read() as session:
        letters = mailboxes.letters_to(session, address)
        return _mailbox(session, address, letters, mailboxes.to_open(letters, after), after=after)


@blueprint.get("/letters/<int:letter_id>")
def letter(letter_id: int) -> Response:
    """One letter, as its reader sees it; ``?text=`` fills an example into the answer."""
    with installation().store.read() as session:
        opened = _letter(session, letter_id)
        letters = mailboxes.letters_to(session, opened.to_address)
        after = _number(request.args.get("after", "0"))
        return _mailbox(session, opened.to_address, letters, opened, after=after)


@blueprint.get("/letters/<int:letter_id>/html")
def letter_html(letter_id: int) -> Response:
    """The HTML part alone, for the frame: it may use its own styles and nothing else."""
    with installation().store.read() as session:
        html = content_of(session, installation().site, _letter(session, letter_id)).html
    html = html.replace("<head>", '<head><base target="_blank">', 1)
    response = Response(html, mimetype="text/html")
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        f"form-action 'none'; frame-ancestors 'self'; sandbox {SANDBOX}"
    )
    return response


@blueprint.post("/letters/<int:letter_id>/answer")
def answer(letter_id: int) -> AnyResponse:
    """Send an answer to a letter, as its reader's mail program would."""
    text = request.form.get("text", "")
    with installation().store.read() as session:
        draft = _reply(session, _letter(session, letter_id), text, bool(request.form.get("quote")))
    try:
        return _sent(draft)
    except NotTaken as error:
        with installation().store.read() as session:
            opened = _letter(session, letter_id)
            letters = mailboxes.letters_to(session, opened.to_address)
            return _mailbox(
                session, opened.to_address, letters, opened, trouble=str(error), text=text
            )


def _reply(session: Session, opened: Letter, text: str, quote: bool) -> WrittenMail:
    shown = content_of(session, installation().site, opened)
    return WrittenMail(
        from_address=opened.to_address,
        from_name=mailboxes.name_of(session, opened.to_address),
        to_address=shown.reply_address,
        subject=reply_subject(shown.subject),
        text=text,
        in_reply_to=opened.message_id,
        references=opened.references,
        quoted=shown.text if quote else "",
        quoted_from=f"{installation().settings.site.name} <{shown.reply_address}>",
        quoted_at=opened.sent_at or opened.created_at,
    )


@blueprint.get("/mails/<int:mail_id>")
def mail(mail_id: int) -> Response:
    """A mail somebody sent, and what it was read as."""
    with installation().store.read() as session:
        row = session.get(Mail, mail_id) if mail_id < 2**31 else None
        if row is None:
            abort(404)
        return _page(
            "postroom/mail.html",
            mail=row,
            subject=mailboxes.subject_of(mailboxes.parsed(row)),
            source=row.raw[:100_000].decode("utf-8", "replace"),
        )


@blueprint.get("/compose")
def blank() -> Response:
    """A new mail, to the server's own address to begin with."""
    with installation().store.read() as session:
        boxes = mailboxes.mailboxes(session)
    return _blank(
        [box.address for box in boxes],
        {
            "from": request.args.get("from", boxes[0].address if boxes else ""),
            "to": installation().settings.server_address,
            "text": request.args.get("text", "help"),
        },
    )


@blueprint.post("/compose")
def send_new() -> AnyResponse:
    fields = {name: request.form.get(name, "") for name in ("from", "to", "subject", "text")}
    with installation().store.read() as session:
        boxes = mailboxes.mailboxes(session)
        name = mailboxes.name_of(session, fields["from"])
    draft = WrittenMail(fields["from"], name, fields["to"], fields["subject"], fields["text"])
    try:
        return _sent(draft)
    except (NotTaken, ValueError) as error:
        return _blank([box.address for box in boxes], fields, trouble=str(error))


def _sent(draft: WrittenMail) -> AnyResponse:
    """Out with it; then to the mailbox, where the answer is (or soon will be)."""
    message = compose(draft, installation().clock(), installation().entropy(12))
    sender, recipient = draft.from_address.strip().lower(), draft.to_address.strip()
    before = sending.newest_letter_id()
    sending.send(message, sender, recipient)
    sending.wait_for_answer(str(message["Message-ID"]), sender, before)
    return redirect(url_for("postroom.mailbox", address=sender, after=before), 303)


def _mailbox(
    session: Session, address: str, letters: list[Letter], opened: Letter | None,
    *, after: int = 0, trouble: str = "", text: str | None = None,
) -> Response:  # fmt: skip
    site = installation().site
    content = {id_of(one): content_of(session, site, one) for one in letters}
    if opened is not None and opened.id not in content:
        content[id_of(opened)] = content_of(session, site, opened)
    shown = None if opened is None else content[id_of(opened)]
    plain = request.args.get("as") == "text"
    if opened is not None and opened.person_id is not None:
        person = session.get_one(Person, opened.person_id)
        plain = plain or wishes_of(session, person, opened.game_id).mail_format == "text"
    return _page(
        "postroom/mailbox.html",
        boxes=mailboxes.mailboxes(session),
        address=address,
        items=mailboxes.items_of(
            session, address, letters, {number: one.subject for number, one in content.items()}
        ),
        letter=opened,
        shown=shown,
        plain=plain,
        examples=[] if shown is None else examples_in(shown.text),
        after=after,
        trouble=trouble,
        text=request.args.get("text", "")[:1000] if text is None else text,
        sandbox=SANDBOX,
    )


def examples_in(text: str) -> list[str]:
    """The examples of a letter, each once, without their mark."""
    lines = (line.strip() for line in text.splitlines())
    return list(
        dict.fromkeys(
            line.removeprefix(EXAMPLE_MARK) for line in lines if line.startswith(EXAMPLE_MARK)
        )
    )


def _letter(session: Session, letter_id: int) -> Letter:
    found = session.get(Letter, letter_id) if letter_id < 2**31 else None
    if found is None:
        abort(404)
    return found


def _number(value: str) -> int:
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else 0


def _blank(addresses: list[str], fields: dict[str, str], trouble: str = "") -> Response:
    return _page("postroom/compose.html", addresses=addresses, fields=fields, trouble=trouble)


def _page(template: str, **context: object) -> Response:
    """A page of the post room: the only ones that may hold a frame, with a letter in it."""
    response = make_response(render_template(template, **context))
    response.headers["Content-Security-Policy"] = content_policy(frame_src="'self'")
    return response
