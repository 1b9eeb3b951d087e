"""Bytes to text, whatever a mail says about its charset.

The ladder: a byte order mark, the declared charset under any of its names, UTF-8 and the
supersets people really mean (cp1252 for ISO-8859-1, GB 18030 for GB 2312, …), at last a
guess by the bytes.  It never raises and every step is linear.
"""

import codecs
import re

#: What senders call a charset, and the codecs to try for it, the narrowest first.
_FAMILIES: dict[str, tuple[str, ...]] = {
    "gb2312": ("gb18030",),
    "gbk": ("gb18030",),
    "big5": ("big5", "cp950", "big5hkscs"),
    "cp950": ("cp950", "big5hkscs"),
    "euc_kr": ("cp949",),
    "shift_jis": ("shift_jis", "cp932", "shift_jisx0213"),
    "euc_jp": ("euc_jp", "euc_jis_2004", "euc_jisx0213"),
    "iso2022_jp": ("iso2022_jp", "iso2022_jp_ext", "iso2022_jp_3", "iso2022_jp_2"),
    "iso8859-9": ("iso8859-9", "cp1254"),
    "iso8859-11": ("iso8859-11", "cp874"),
    "tis-620": ("tis-620", "cp874"),
    "iso8859-8": ("iso8859-8", "cp1255"),
}
_ALIASES = {
    "ansi_x3.4-1968": "ascii",
    "x-gbk": "gbk", "x-cp936": "gbk", "ms936": "gbk", "windows-936": "gbk", "gb_2312-80": "gb2312",
    "big5-eten": "big5", "x-x-big5": "big5", "cn-big5": "big5", "x-big5": "big5",
    "x-euc-kr": "euc_kr", "ks_c_5601-1987": "euc_kr", "ks_c_5601": "euc_kr", "ksc5601": "euc_kr",
    "x-windows-949": "cp949", "windows-949": "cp949",
    "x-sjis": "shift_jis", "windows-31j": "shift_jis", "x-ms-cp932": "shift_jis", "ms932": "cp932",
    "cp50220": "iso2022_jp", "cp50221": "iso2022_jp", "x-euc-jp": "euc_jp",
    "iso-8859-8-i": "iso8859-8", "iso-8859-8-e": "iso8859-8", "iso-8859-6-i": "iso8859-6",
    "x-mac-roman": "mac_roman", "macintosh": "mac_roman", "x-mac-cyrillic": "mac_cyrillic",
    "x-user-defined": "cp1252", "x-unknown": "", "unknown-8bit": "", "unknown": "", "8bit": "",
    "x-utf-8": "utf-8", "utf8mb4": "utf-8", "unicode-1-1-utf-8": "utf-8",
    "unicode-1-1-utf-7": "utf-7", "x-unicode-2-0-utf-7": "utf-7", "unicode": "utf-16",
    "dos-874": "cp874", "windows-874": "cp874", "x-windows-1252": "cp1252",
}  # fmt: skip
#: Codecs that are no charsets of mail, or slow (punycode, idna) on long input.
_NO_CHARSETS = frozenset(
    {"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "mbcs", "oem"}
)
#: Declared charsets that are mostly a program's default: valid UTF-8 is believed before them.
_DEFAULTS = re.compile(r"ascii|iso8859-(?:1|2|9|15)$|cp125[02478]$")
_ASIAN = re.compile(r"^(?:gb|hz|big5|cp9[345]|euc_|shift_jis)")
_CP1252_HOLES = frozenset(b"\x81\x8d\x8f\x90\x9d")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:()+-]{0,39}")
_NO_TEXT = re.compile("[\ud800-\udfff]")


def decode(data: bytes, declared: str = "") -> str:
    """The text of the bytes.  `declared` is the charset named by the mail, or "".

    NUL bytes and lone surrogates do not survive: the text can always be written as UTF-8."""
    text = _decode(data, _codec(declared))
    if "\0" in text:
        text = text.replace("\0", "")
    return text if text.isascii() else _NO_TEXT.sub("\ufffd", text)


def _codec(declared: str) -> str:
    """The name Python gives a charset; "" for none, an unknown one, or what is no charset."""
    match = _NAME.match(declared.strip(" \t'\""))
    if match is None:
        return ""
    name = match[0].lower()
    name = _ALIASES.get(name, name)
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    if found.name in _NO_CHARSETS or not found._is_text_encoding:
        return ""
    return found.name


def _decode(data: bytes, codec: str) -> str:
    if data.startswith(codecs.BOM_UTF8):
        return data[3:].decode("utf-8", "replace")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and _looks_wide(data, codec):
        return data.decode("utf-16", "replace")
    if not codec and data.isascii():
        escaped = _strict(data, "iso2022_jp") if b"\x1b$" in data[:9999] else None
        return escaped or data.decode("ascii")
    if codec and (text := _declared(data, codec)) is not None:
        return text
    return _guess(data, codec)


def _declared(data: bytes, codec: str) -> str | None:
    """The text if the bytes are what they are said to be, or a superset of it."""
    if data.isascii() and (codec in ("ascii", "utf-8") or _DEFAULTS.match(codec)):
        return data.decode("ascii")
    if _DEFAULTS.match(codec):
        if (text := _strict(data, "utf-8")) is not None:
            return text
        if codec == "ascii":
            return None
        if codec == "iso8859-1":
            return None if _is_asian(data) else _western(data)
    if codec == "utf-8" and (text := _mostly_utf8(data)) is not None:
        return text
    for candidate in _FAMILIES.get(codec, (codec,)):
        if (text := _strict(data, candidate)) is not None:
            if _ASIAN.match(candidate) and (wide := _strict(data, "utf-8")) and _is_han(wide):
                return wide  # UTF-8 by mistake of the label
            return text
    return None


def _strict(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except (UnicodeError, LookupError, ValueError):
        return None


_CP1252 = {
    byte: bytes([byte]).decode("cp1252") for byte in range(0x80, 0xA0) if byte not in _CP1252_HOLES
}


def _western(data: bytes) -> str:
    """cp1252, its five holes as in ISO-8859-1."""
    return data.decode("latin-1").translate(_CP1252)


def _mostly_utf8(data: bytes) -> str | None:
    """UTF-8 even with a few broken characters; None if it is something else altogether."""
    if (text := _strict(data, "utf-8")) is not None:
        return text
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    whole = sum(map(text.count, "äöüßéèàçñ、。，的了")) + len(_HAN.findall(text))
    return text if whole > 4 * broken else None


_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uffef]")


def _is_han(text: str) -> bool:
    """Whether most of what is not ASCII is Chinese, Japanese or Korean."""
    return 2 * len(_HAN.findall(text)) > sum(not char.isascii() for char in text)


def _looks_wide(data: bytes, codec: str) -> bool:
    """Whether it is UTF-16 after all, and no text in cp1252 that begins with its letters ÿþ."""
    return codec.startswith("utf-16") or (not codec.startswith("utf") and b"\0" in data[:400])


_GB_PAIR = re.compile(rb"[\xa1-\xa3\xb0-\xd7][\xa1-\xfe]")
_BIG5_PAIR = re.compile(rb"[\xa1\xa4-\xc6][\x40-\x7e\xa1-\xfe]")
_SJIS_PAIR = re.compile(rb"[\x82\x83][\x40-\x7e\x80-\xf1]")
_EUCJP_PAIR = re.compile(rb"[\xa4\xa5][\xa1-\xf6]")
_HIGH = re.compile(rb"[\x80-\xff]")
_SAMPLE = 20_000  # bytes a guess looks at


def _is_asian(data: bytes) -> bool:
    """Whether there are two-byte characters throughout, of those GB 2312 has for everyday
    words."""
    sample = data[:_SAMPLE]
    high = len(_HIGH.findall(sample))
    return high >= 4 and 2 * len(_GB_PAIR.findall(sample)) >= 0.9 * high


def _guess(data: bytes, codec: str) -> str:
    """The likeliest of the common charsets by the bytes alone."""
    if (text := _strict(data, "utf-8")) is not None:
        return text
    if data[:2000].count(b"\0") > len(data[:2000]) // 3:
        return data.decode("utf-16-be" if data[:1] == b"\0" else "utf-16-le", "replace")
    sample = data[:_SAMPLE]
    high = len(_HIGH.findall(sample))
    candidates = []
    if high >= 4:
        if 2 * len(_EUCJP_PAIR.findall(sample)) > 0.4 * high:
            candidates.append("euc_jp")
        if _is_asian(data):
            candidates.append("gb18030")
        if len(_SJIS_PAIR.findall(sample)) > 0.3 * high:
            candidates.append("cp932")
        if 1.6 * len(_BIG5_PAIR.findall(sample)) > high:
            candidates.append("big5hkscs")
        letters = sum(byte >= 0xC0 for byte in sample)
        if letters > 0.9 * high and letters > len(re.findall(rb"[A-Za-z]", sample)):
            candidates.append("cp1251")
    for candidate in candidates:
        if (text := _strict(data, candidate)) is not None:
            return text
    if _ASIAN.match(codec):
        return data.decode(_FAMILIES.get(codec, (codec,))[-1], "replace")
    return _western(data)
