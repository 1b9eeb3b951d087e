"""Mail in and out: the inbox, the outbox, and the tokens letters carry."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, LargeBinary, UniqueConstraint
from sqlmodel import Field, SQLModel

from pbem.store.models.base import index_where, one_of


class Mail(SQLModel, table=True):
    """The inbox: every mail as it came, stored before the sender gets his 250."""

    __table_args__ = (
        one_of("state", "new", "done", "held", "ignored", "quarantined", "discarded", "expired"),
        Index("ix_mail_state_id", "state", "id"),
        Index("ix_mail_message_id", "message_id"),
        Index("ix_mail_person_id", "person_id"),
        Index("ix_mail_sender", "sender"),
        Index("ix_mail_envelope_from", "envelope_from"),
        Index("ix_mail_received_at", "received_at"),
        index_where("ix_mail_bounces", "received_at", where="kind = 'bounce'"),
    )

    id: int | None = Field(default=None, primary_key=True)
    received_at: datetime
    channel: str  # smtp, lmtp, imap, pipe, webhook
    envelope_from: str
    envelope_to: list[str] = Field(sa_type=JSON)
    raw: bytes = Field(sa_type=LargeBinary)
    digest: str = Field(index=True)  # SHA-256 of raw
    state: str = "new"
    attempts: int = 0
    error: str | None = None
    kind: str | None = None  # of `explain`
    message_id: str | None = None
    person_id: int | None = Field(default=None, foreign_key="person.id")
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    seat: int | None = None
    text: str | None = None  # the new text, for subtraction from later quotes
    receipt: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    handled_at: datetime | None = None
    held_until: datetime | None = None  # a held one is thrown away then
    sender: str | None = None  # the address of its From, folded, as far as it could be read


class Letter(SQLModel, table=True):
    """The outbox: one row a letter, written in the transaction that caused it and
    rendered from the position at ``seq`` when it is delivered."""

    __table_args__ = (
        one_of(
            "state",
            "queued", "sending", "sent", "retry", "unknown", "failed", "replaced", "paused",
        ),
        Index("ix_letter_state_next_at", "state", "next_at"),
        Index("ix_letter_game_id_seat_kind_state", "game_id", "seat", "kind", "state"),
        Index("ix_letter_person_id_answers_mail_id", "person_id", "answers_mail_id"),
        Index("ix_letter_sent_at", "sent_at"),
        UniqueConstraint("once"),
    )  # fmt: skip

    id: int | None = Field(default=None, primary_key=True)
    kind: str  # a folder of mail_templates/
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    to_address: str
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: int | None = None
    seq: int | None = None  # the event after which the table is shown
    decision: int | None = None
    context: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    message_id: str
    in_reply_to: str | None = None
    references: str = ""
    answers_mail_id: int | None = Field(default=None, foreign_key="mail.id", index=True)
    once: str | None = None  # "remind:GAME:SEAT:DECISION:RUNG": at most one letter of this key
    state: str = "queued"
    attempts: int = 0
    created_at: datetime
    next_at: datetime
    sent_at: datetime | None = None
    error: str | None = None  # what the last attempt, or the bounce, said
    delayed_by: str | None = None  # relay (nothing gets through), letter (this one), pace
    subject: str | None = None  # as sent
    text: str | None = None  # as sent, the reply address cut out
    html: str | None = None
    generation: int = Field(default=0, sa_column_kwargs={"server_default": "0"})  # of its address
    page_generation: int = Field(default=0, sa_column_kwargs={"server_default": "0"})  # of its link


class Token(SQLModel, table=True):
    """A reply address or a personal link, by the SHA-256 of its token.  The token itself
    is an HMAC computed anew wherever it has to be written."""

    __table_args__ = (
        one_of(
            "purpose",
            "seat", "invitation", "person", "page", "confirm",
            "address", "undo", "sign-in", "unsubscribe", "feed", "calendar", "api",
        ),
    )  # fmt: skip

    digest: str = Field(primary_key=True)
    purpose: str
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    seat: int | None = None
    invitation_id: int | None = Field(default=None, foreign_key="invitation.id")
    decision: int | None = None
    generation: int = 0
    created_at: datetime
    revoked_at: datetime | None = None
