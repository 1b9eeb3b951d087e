"""Charsets, transfer encodings and header values, as they come and as they are mislabelled."""

import codecs
import encodings.aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.intake.charsets import decode
from pbem.intake.headers import addresses, decode_value, mailbox, message_ids, parameters, parse
from pbem.intake.transfer import undo
from tests.examples import examples

NO_TEXT = {
    "base64_codec",
    "bz2_codec",
    "hex_codec",
    "quopri_codec",
    "rot_13",
    "uu_codec",
    "zlib_codec",
}
NO_CHARSETS = {
    "idna",
    "punycode",
    "mbcs",
    "oem",
    "undefined",
    "unicode_escape",
    "raw_unicode_escape",
}
CODECS = sorted(set(encodings.aliases.aliases.values()) - NO_TEXT - NO_CHARSETS)
TEXTS = (
    "take fox", "play polar bear R8, please!", "Grüße, é à ñ", "жираф и слон", "καλημέρα", "取狐狸放左三",
    "登船大象右四，驅趕", "こんにちは、きつね", "안녕하세요", "zażółć gęślą", "şöyle ığdır",
)  # fmt: skip


@pytest.mark.parametrize("codec", CODECS)
def test_every_charset_python_knows(codec: str) -> None:
    for text in TEXTS:
        try:
            data = text.encode(codec)
        except UnicodeEncodeError:
            continue
        if data.decode(codec) == text:
            assert decode(data, codec) == text
            assert decode(data, codec.replace("_", "-").upper()) == text


@pytest.mark.parametrize(
    ("text", "real", "label"),
    [
        ("Grüße – “hi” …", "cp1252", "iso-8859-1"),
        ("Grüße – “hi” …", "utf-8", "iso-8859-1"),
        ("Grüße", "utf-8", "us-ascii"),
        ("Grüße", "utf-8", "windows-1252"),
        ("Grüße", "iso-8859-1", "us-ascii"),
        ("Grüße, schöne Löwen", "iso-8859-1", "utf-8"),
        ("Grüße", "utf-8", "x-unknown"),
        ("Grüße", "utf-8", ""),
        ("Grüße", "utf-8", "utf8; format=flowed"),
        ("取狐狸，放到左边第三舱", "gb18030", "gb2312"),
        ("镕㐀 取狐狸", "gb18030", "GB2312"),
        ("取狐狸，放到左边第三舱", "utf-8", "gb2312"),
        ("取狐狸，放到左边第三舱", "gb18030", "utf-8"),
        ("取狐狸，放到左边第三舱", "gb18030", ""),
        ("取狐狸，放到左边第三舱", "gb18030", "iso-8859-1"),
        ("登船狐狸到左三，驅趕烏龜", "big5", ""),
        ("登船狐狸到左三，驅趕烏龜", "utf-8", "big5"),
        ("きつねをとる、ありがとう", "shift_jis", ""),
        ("①狐", "cp932", "shift_jis"),
        ("きつね", "iso2022_jp", ""),
        ("똠방각하", "cp949", "ks_c_5601-1987"),
        ("спасибо большое", "cp1251", ""),
        ("take fox", "utf-8", "idna"),
        ("take fox", "ascii", "hex"),
        ("take fox", "utf-16", "us-ascii"),
        ("Žluťoučký kůň", "cp1250", "windows-1250"),
    ],
)
def test_mislabelled_text(text: str, real: str, label: str) -> None:
    assert decode(text.encode(real), label) == text


def test_a_byte_order_mark() -> None:
    assert decode(codecs.BOM_UTF8 + b"take fox", "iso-8859-1") == "take fox"
    assert decode("take fox".encode("utf-16"), "") == "take fox"


@given(st.binary(max_size=300), st.sampled_from([*CODECS, "", "nonsense", "utf-7", "x" * 80]))
@examples(100)
def test_any_bytes_are_text(data: bytes, label: str) -> None:
    text = decode(data, label)
    assert "\0" not in text
    text.encode("utf-8")


@pytest.mark.parametrize(
    ("data", "encoding", "expected"),
    [
        (b"dGFrZSBmb3g=\n", "base64", b"take fox"),
        (b"dGFrZSBmb3g", " BASE64 ", b"take fox"),
        (b"dGFr\nZSBm\n\nb3g=", "base64", b"take fox"),
        (b"dGFrZQ==\nIGZveA==\n", "base64", b"take fox"),
        (b"take fox\nplay cat L1\n", "base64", b"take fox\nplay cat L1\n"),
        (
            b"dGFrZSBmb3g=\n_____\nark mailing list\n",
            "base64",
            b"take fox\n_____\nark mailing list\n",
        ),
        (b"dGFrZSBmb3gA", "base64", b"take fox\0"),
        (b"take=20fox=\n, ok", "quoted-printable", b"take fox, ok"),
        (b"take fox= \t\n!", "quoted-printable", b"take fox!"),
        (b"caf=c3=a9 =ZZ =", "quoted-printable", b"caf\xc3\xa9 =ZZ "),
        (b"take fox", "7bit", b"take fox"),
        (b"take fox", "x-nonsense", b"take fox"),
        (b"begin 644 a.txt\n(=&%K92!F;W@\n`\nend\n", "x-uuencode", b"take fox"),
    ],
)
def test_damaged_transfer_encodings_are_undone_as_far_as_they_go(
    data: bytes, encoding: str, expected: bytes
) -> None:
    assert undo(data, encoding).rstrip(b"=") == expected.rstrip(b"=")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"plain", "plain"),
        (b"=?utf-8?Q?caf=C3=A9_?= =?utf-8?B?w6k=?=", "café é"),
        (b"Re: =?utf-8?B?5Y+W54s=?= =?utf-8?B?kOeLuA==?=", "Re: 取狐狸"),
        (b"=?iso-8859-1?Q?Gr=FC=DFe?=  tail", "Grüße  tail"),
        (b"=?gb2312?B?yKE=?=", "取"),
        (b"=?utf-8?Q?take fox?=", "take fox"),
        (b"=?utf-8*en?Q?take?=", "take"),
        (b"=?nonsense?Q?take?=", "take"),
        (b"=?utf-8?X?take?=", "=?utf-8?X?take?="),
        ("Grüße".encode(), "Grüße"),
        ("Grüße".encode("latin-1"), "Grüße"),
        (b"a\r\n b\tc\0", "a  b c"),
    ],
)
def test_encoded_words_of_headers_are_decoded(raw: bytes, expected: str) -> None:
    assert " ".join(decode_value(raw).split()) == " ".join(expected.split())


def test_parameters_of_structured_fields_are_read() -> None:
    assert parameters('text/plain; CHARSET="utf-8" ; format=flowed; x') == (
        "text/plain", {"charset": "utf-8", "format": "flowed"},
    )  # fmt: skip
    _, found = parameters(
        "a/b; filename*0*=utf-8''%E5%8F; filename*1*=%96; title*=us-ascii'en'x%20y"
    )
    assert found["filename"].encode("latin-1").decode() == "取"
    assert found["title"] == "x y"
    assert parameters('multipart/mixed; boundary="a;b=c"')[1] == {"boundary": "a;b=c"}


def test_addresses_and_message_ids_are_found_among_junk() -> None:
    value = '"Ark, club" <T-abc@Ark.example.org>, x@y.z (home), <"odd one"@a.b>, no address'
    assert addresses(value)[:2] == ["t-abc@ark.example.org", "x@y.z"]
    assert mailbox('"Cy \\"M\\" Miller" <Cy@Example.net>') == ('Cy "M" Miller', "cy@example.net")
    assert mailbox("cy@example.net (Cy)") == ("Cy", "cy@example.net")
    assert mailbox("nobody") == ("", "")
    assert message_ids("<a@b> junk <c@d>\t<a@b> <un closed@x>") == ["<a@b>", "<c@d>"]


def test_a_header_block_ends_at_the_first_empty_line() -> None:
    data = b"From x Mon\nA: 1\n 2\nb : 3\nA: 4\n\nbody"
    headers, body = parse(data, 0, len(data))
    assert headers.all("a") == ["1 2", "4"]
    assert headers.first("b") == "3"
    assert data[body:] == b"body"
    for text in (b"take fox\nplay", b"A: 1\ntake fox\n"):
        _, body = parse(text, 0, len(text))
        assert text[body:].startswith(b"take fox"), "a line that is no field is text"
