"""Content-Transfer-Encodings undone (RFC 2045), tolerantly and in linear time."""

import binascii
import re

_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=\n \t]|[A-Za-z0-9+/=][ \t]+[A-Za-z0-9+/=]")
_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\n"
_OTHER = re.compile(rb"[^A-Za-z0-9+/=]+")
_PADDING = re.compile(rb"=+")
_SOFT_BREAK = re.compile(rb"=[ \t]++\n")
_UU_BEGIN = re.compile(rb"(?:\A|\n)begin [0-7]{3,4} [^\n]*\n")


def undo(data: bytes, encoding: str) -> bytes:
    """The bytes behind a transfer encoding; those of an unknown one as they are.

    Line ends are LF (`pbem.intake.mime` takes care of that)."""
    name = encoding.strip().lower()
    if name.startswith("base64"):
        return _base64(data)
    if name.startswith("quoted-printable"):
        return binascii.a2b_qp(_SOFT_BREAK.sub(b"=\n", data))
    if name in ("x-uuencode", "uuencode", "x-uue"):
        return _uu(data)
    return data


def _base64(data: bytes) -> bytes:
    """Decode what is base64.  Text that was only labelled so is returned as it is; text
    that a list put under the encoded part is kept behind it."""
    rest = b""
    if data.translate(None, _ALPHABET) and (stray := _NOT_BASE64.search(data)):
        cut = data.rfind(b"\n", 0, stray.start() + 1) + 1
        data, rest = data[:cut], data[cut:]
        if not data.strip():
            return rest
    # Each padded piece is decoded on its own: some programs join encoded pieces.
    pieces = _PADDING.split(_OTHER.sub(b"", data.replace(b"\n", b"")))
    if len(pieces) > 1000:
        return rest
    decoded = b"".join(map(_piece, pieces))
    return decoded + b"\n" + rest if rest.strip() else decoded


def _piece(piece: bytes) -> bytes:
    length = len(piece)
    if length % 4 == 1:
        length -= 1  # six bits make no byte
    return binascii.a2b_base64(piece[:length] + b"=" * (-length % 4))


def _uu(data: bytes) -> bytes:
    begin = _UU_BEGIN.search(data)
    if begin is None:
        return data
    decoded = []
    for line in data[begin.end() :].split(b"\n"):
        if line.strip() in (b"end", b"`", b""):
            break
        try:
            decoded.append(binascii.a2b_uu(line))
        except binascii.Error:
            break
    return b"".join(decoded)
