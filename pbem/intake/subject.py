"""The subject line of an answer."""

import re

_REPLY = re.compile(
    r"\s*(?:re|aw|sv|vs|antw|antwort|odp|ynt|vá|ref|回复|回覆|答复|答覆|回信|返信)"
    r"\s*(?:\[\d{1,4}\]|\(\d{1,4}\)|\^\d{1,4})?\s*[:：]",
    re.IGNORECASE,
)
_FORWARD = re.compile(
    r"(?:^|[\s:：\]])(?:fwd?|wg|tr|rv|enc|doorst|vl|pd|i̇?lt|vb|videresend|転送|전달|转发|轉寄|轉發)"
    r"\s*(?:\[\d{1,4}\])?\s*[:：]",
    re.IGNORECASE,
)
_TAG = re.compile(r"\s*\[(?:ext(?:ern(?:al)?)?|spam\??|外部|外部邮件)\]\s*", re.IGNORECASE)


def is_forward(subject: str) -> bool:
    """Whether the subject says that the mail was passed on (Fwd:, WG:, 转发: …)."""
    return _FORWARD.search(subject[:500]) is not None


def subject_command(subject: str) -> str | None:
    """What may be a command given as the whole subject (commands.md 1.9), the marks of an
    answer taken off; None for a forwarded mail, or when nothing is left."""
    subject = " ".join(subject.split())[:500]
    if is_forward(subject):
        return None
    while match := (_REPLY.match(subject) or _TAG.match(subject)):
        subject = subject[match.end() :]
    return subject.strip() or None
