"""MIME structures: signed, mixed, with attachments, with parts that must not be read."""

import base64
from collections.abc import Iterator, Sequence

from tests.mails.quoting import marked
from tests.mails.sample import Letter
from tests.mails.wire import FORMS, Form, multipart, part

Made = tuple[str, bytes, str, Sequence[str], bool]

CHARSETS = (
    "iso-8859-1", "iso-8859-15", "windows-1252", "utf-8", "utf-16", "utf-16-le", "utf-32", "utf-7",
    "mac_roman", "cp437", "cp850", "hp-roman8", "iso-8859-2", "cp1250", "cp500", "cp037",
)  # fmt: skip
CHINESE = ("gb2312", "gbk", "gb18030", "hz", "utf-8", "utf-16")
TRADITIONAL = ("big5", "cp950", "big5hkscs", "utf-8", "gb18030")
JAPANESE = ("iso-2022-jp", "shift_jis", "euc-jp", "cp932", "utf-8")
CYRILLIC = ("koi8-r", "windows-1251", "iso-8859-5", "cp866", "mac_cyrillic")
KOREAN = ("euc-kr", "cp949", "iso-2022-kr", "johab")


def _attachment(text: str, name: str, disposition: str = "attachment") -> bytes:
    head = (
        f'Content-Type: text/plain; name="{name}"\r\n'
        f'Content-Disposition: {disposition}; filename="{name}"\r\n\r\n'
    )
    return head.encode() + text.encode()


def _binary(content_type: str, name: str) -> bytes:
    head = (
        f'Content-Type: {content_type}; name="{name}"\r\nContent-Transfer-Encoding: base64\r\n'
        f'Content-Disposition: attachment; filename="{name}"\r\n\r\n'
    )
    return head.encode() + base64.encodebytes(b"take fox\n" * 40).replace(b"\n", b"\r\n")


def replies(letter: Letter) -> Iterator[Made]:
    new = "take horse"
    introduction = f"On Wed, Dec 2, 2026 at 9:30 PM {letter.sender_name} <{letter.address}> wrote:"
    text = "\n".join([new, "", introduction, "", *marked(letter.text)])
    plain = part(text, FORMS[1])
    html = part(f"<p>play fox L2</p><blockquote>{letter.html}</blockquote>", FORMS[2], "html")

    def made(name: str, body: bytes, new: str = new, cut: Sequence[str] = ("quote",)) -> Made:
        return (f"mime/{name}", body, new, cut, False)

    alternative = multipart("alternative", plain, html)
    pdf = _binary("application/pdf", "take fox.pdf")
    yield made("alternative", alternative)
    yield made("mixed-pdf", multipart("mixed", alternative, pdf))
    yield made("pdf-first", multipart("mixed", pdf, alternative))
    yield made("text-attachment", multipart("mixed", plain, _attachment("take fox", "a.txt")))
    yield made("inline-name", multipart("mixed", plain, _attachment("take fox", "a.txt", "inline")))
    yield made(
        "winmail-beside", multipart("mixed", plain, _binary("application/ms-tnef", "winmail.dat"))
    )
    yield made(
        "two-plain",
        multipart("mixed", part("take horse", FORMS[0]), pdf, part("\n\n", FORMS[0])),
        cut=(),
    )
    yield made(
        "forwarded-attached",
        multipart(
            "mixed", plain, b"Content-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\ntake fox"
        ),
    )
    signature = b"Content-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\nabc\r\n-----END PGP SIGNATURE-----\r\n"
    yield made(
        "pgp-mime",
        multipart("signed", plain, signature, parameters='; protocol="application/pgp-signature"'),
    )
    smime = _binary("application/pkcs7-signature", "smime.p7s")
    yield made(
        "smime",
        multipart(
            "signed",
            alternative,
            smime,
            parameters='; protocol="application/pkcs7-signature"; micalg=sha-256',
        ),
    )
    yield made(
        "deep", multipart("mixed", multipart("mixed", multipart("related", alternative), pdf), pdf)
    )
    armored = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{text}\n-----BEGIN PGP SIGNATURE-----\n\niQEz\n=abcd\n-----END PGP SIGNATURE-----\n"
    yield made("pgp-inline", part(armored, FORMS[0]))
    dashes = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\ntake horse\n- -- \nCy\n-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"
    yield made("pgp-inline-signature", part(dashes, FORMS[0]), cut=["signature"])
    yield made("pre", part("<pre>take horse\n\n&gt; quoted\n&gt; take fox</pre>", FORMS[0], "html"))
    hidden = '<div style="display: none">take fox</div><span style="font-size:0px">play dog L1</span><p hidden>x</p>take horse'
    yield made("hidden", part(hidden.replace("<p hidden>x</p>", ""), FORMS[0], "html"), cut=())
    listed = "<ol><li>take horse</li><li>say all: hi</li></ol>"
    yield made("html-list", part(listed, FORMS[0], "html"), "take horse\nsay all: hi", ())
    table = "<table><tr><td>take</td><td>horse</td></tr></table>"
    yield made("html-table", part(table, FORMS[0], "html"), "take horse", ())
    yield made("no-headers", b"\r\ntake horse\r\n", cut=())
    yield made("cr-only", part("take horse\n\n> take fox", FORMS[0]).replace(b"\r\n", b"\r"))
    footer = part("-- \nark mailing list", FORMS[0])
    page = part(f"<p>take horse</p><blockquote>{letter.html}</blockquote>", FORMS[2], "html")
    yield made("html-and-list-footer", multipart("mixed", page, footer))
    both = multipart("mixed", alternative, footer)
    yield made("alternative-and-list-footer", both, cut=["quote", "list-footer"])
    yield made(
        "alternative-html-only-inside", multipart("mixed", multipart("alternative", page), pdf)
    )
    yield made("two-html", multipart("mixed", page, pdf, part("<p></p>", FORMS[0], "html")))
    yield made("lf-only", plain.replace(b"\r\n", b"\n"))
    yield made("cut-off", alternative[: alternative.rindex(b"Content-Type: text/html")])
    yield made("wrong-boundary", alternative.replace(b'boundary="=_', b'boundary="=-', 1))
    for charsets, answer in (
        (CHARSETS, "take horse é"),
        (CHINESE, "取狐狸 放左三"),
        (TRADITIONAL, "取狐狸 驅趕烏龜"),
        (JAPANESE, "say all: こんにちは、狐"),
        (CYRILLIC, "say all: привет там, это я"),
        (KOREAN, "say all: 안녕하세요 여러분"),
    ):
        for charset in charsets:
            form = Form(charset, encoding="base64")
            yield made(
                f"charset/{charset}/{answer[-1]}", part(f"{answer}\n\n> take fox", form), answer
            )
