"""Replies written in HTML, by program; with or without a plain part beside it."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import cycle

from tests.mails.languages import LANGUAGES
from tests.mails.quoting import html_lines, marked
from tests.mails.sample import Letter
from tests.mails.wire import FORMS, multipart, part

Made = tuple[str, bytes, str, Sequence[str], bool]


def _outlook_block(labels: Sequence[str], date: str, letter: Letter) -> str:
    sender, sent, to, subject = labels
    return (
        f"<b>{sender}</b>{escape(letter.sender_name)} &lt;{letter.address}&gt;<br>"
        f"<b>{sent}</b>{date}<br><b>{to}</b>Cy Miller &lt;cy@example.net&gt;<br>"
        f"<b>{subject}</b>{escape(letter.subject)}"
    )


def _word(lines: Sequence[str]) -> str:
    """Paragraphs as Word writes them."""
    return "".join(
        '<p class="MsoNormal" style="margin:0cm"><span lang="EN-GB" style="font-size:11.0pt">'
        f"{escape(line) or '<o:p>&nbsp;</o:p>'}<o:p></o:p></span></p>\r\n"
        for line in lines
    )


def _split_quote(letter: Letter, answer: Sequence[str], open_: str) -> str:
    """The letter's plain text in block quotes, cut where the answers stand."""
    quoted = [line or "<br>" for line in map(escape, letter.text.split("\n"))]
    step = max(len(quoted) // (len(answer) + 1), 1)
    pieces = []
    start = 0
    for number, line in enumerate(answer, 1):
        inner = "".join(f"<div>{text}</div>" for text in quoted[start : number * step])
        pieces.append(f"{open_}{inner}</blockquote><div>{escape(line)}</div>")
        start = number * step
    rest = "".join(f"<div>{text}</div>" for text in quoted[start:])
    return "".join(pieces) + f"{open_}{rest}</blockquote>"


def _documents(
    letter: Letter, answer: Sequence[str], number: int
) -> Iterator[tuple[str, str, bool]]:
    """``(name, document, needs_sent)``, the introduction in another language each time."""
    language = LANGUAGES[number % len(LANGUAGES)]
    code = language.code
    name, address = escape(letter.sender_name), letter.address
    gmail = language.gmail.format(name=name, address=f'<a href="mailto:{address}">{address}</a>')
    gmail = gmail.replace("<<a", "&lt;<a").replace("a>>", "a>&gt;")
    apple = escape(language.apple.format(name=letter.sender_name, address=address))
    thunderbird = escape(language.thunderbird.format(name=letter.sender_name))
    block = _outlook_block(language.labels, language.date, letter)
    divs = html_lines(answer)
    yield (
        f"gmail/{code}/top",
        f'<div dir="ltr">{divs}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{gmail}<br></div><blockquote class="gmail_quote" '
        f'style="margin:0 0 0 .8ex;padding-left:1ex">{letter.html}</blockquote></div>',
        False,
    )
    yield (
        f"gmail/{code}/bottom",
        f'<div class="gmail_quote"><div dir="ltr" class="gmail_attr">{gmail}<br></div>'
        f'<blockquote class="gmail_quote">{letter.html}</blockquote></div><div>{divs}</div>',
        False,
    )
    yield (
        f"gmail/{code}/inline",
        f'<div dir="ltr"><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{gmail}<br></div>'
        + _split_quote(letter, answer, '<blockquote class="gmail_quote">')
        + "</div></div>",
        False,
    )
    yield (
        f"apple/{code}/top",
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>'
        f'<body style="overflow-wrap: break-word;">{divs}<br id="lineBreakAtBeginningOfMessage">'
        f'<div><br><blockquote type="cite"><div>{apple}</div><br class="Apple-interchange-newline">'
        f"<div>{letter.html}</div></blockquote></div><br></body></html>",
        False,
    )
    yield (
        f"thunderbird/{code}/inline",
        f'<html><body><div class="moz-cite-prefix">{thunderbird}<br></div>'
        + _split_quote(letter, answer, '<blockquote type="cite" cite="mid:letter.27@x">')
        + "<br></body></html>",
        False,
    )
    yield (
        f"outlook-desktop/{code}/top",
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal '
        "{margin:0cm} --></style><!--[if gte mso 9]><xml><o:shapedefaults/></xml><![endif]--></head>"
        f'<body lang="EN-GB"><div class="WordSection1">{_word([*answer, ""])}<div><div style="border:'
        'none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">'
        f'{block}<o:p></o:p></p></div></div><p class="MsoNormal"><o:p>&nbsp;</o:p></p>{letter.html}'
        "</div></body></html>",
        False,
    )
    yield (
        f"outlook-web/{code}/top",
        f'<div class="elementToProof">{divs}</div><div id="appendonsend"></div><hr style="display:'
        f'inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri">{block}'
        f"</font><div>&nbsp;</div></div>{letter.html}",
        False,
    )
    yield (
        f"outlook-mobile/{code}/top",
        f'<div dir="auto">{divs}</div><div id="ms-outlook-mobile-signature"><div>'
        f"{escape(language.footers[0])}</div></div>"
        '<div id="mail-editor-reference-message-container"><div class='
        f'"ms-outlook-mobile-reference-message"><hr><div dir="ltr">{block}</div>{letter.html}</div></div>',
        False,
    )
    yield (
        f"yahoo/{code}/top",
        f'<div class="ydp1a2b3c4yahoo-style-wrap">{divs}</div><div id="ydp9yahoo_quoted_1" class='
        f'"yahoo_quoted"><div><div>{apple}</div><div><br></div>{letter.html}</div></div>',
        False,
    )
    yield (
        f"proton/{code}/top",
        f'<div style="font-family: Arial">{divs}</div><div class="protonmail_signature_block">'
        '<div class="protonmail_signature_block-user">Cy</div></div><div class="protonmail_quote">'
        f'{apple}<br><br><blockquote class="protonmail_quote" type="cite">{letter.html}</blockquote></div>',
        False,
    )
    yield (
        f"qq/{code}/top",
        f'<div>{divs}</div><div><br></div><div style="font-size: 12px">------------------&nbsp;'
        '原始邮件&nbsp;------------------</div><div style="font-size: 12px;background:#efefef">'
        f'<div><b>发件人:</b>&nbsp;"{name}"&nbsp;&lt;{address}&gt;;</div><div><b>发送时间:</b>&nbsp;'
        '2026年12月2日(星期三) 晚上9:30</div><div><b>收件人:</b>&nbsp;"Cy"&lt;cy@example.net&gt;;'
        f"</div><div><b>主题:</b>&nbsp;{escape(letter.subject)}</div></div>{letter.html}",
        False,
    )
    yield (
        f"163/{code}/top",
        f'<div style="line-height:1.7">{divs}</div><br><pre>在 2026-12-02 21:30:00，"{name}" &lt;'
        f'{address}&gt; 写道：</pre><blockquote id="isReplyContent" style="PADDING-LEFT: 1ex">'
        f"{letter.html}</blockquote>",
        False,
    )
    yield (
        f"163-mobile/{code}/top",
        f'<div>{divs}</div><div class="ntes-mailmaster-quote"><div>---- 回复的原邮件 ----</div><table>'
        f"<tr><td>发件人</td><td>{name}&lt;{address}&gt;</td></tr><tr><td>发送日期</td><td>2026年12月02日 21:30"
        "</td></tr><tr><td>收件人</td><td>&lt;cy@example.net&gt;</td></tr><tr><td>主题</td><td>"
        f"{escape(letter.subject)}</td></tr></table>{letter.html}</div>",
        False,
    )
    yield (
        f"samsung/{code}/top",
        f'<html><body><div dir="auto">{divs}</div><div id="composer_signature"><div>'
        f"{escape(language.footers[0])}</div></div><div><br></div><div align=left><div>-------- "
        f"{escape(language.original)} --------</div><div>{block}</div></div>{letter.html}</body></html>",
        False,
    )
    yield (
        f"bare/{code}/bottom",
        f"{letter.html}<p>{'<br>'.join(map(escape, answer))}</p>",
        True,
    )


def replies(letter: Letter, answers: Sequence[Sequence[str]]) -> Iterator[Made]:
    """Every program: HTML only, beside a blank plain part, and beside a plain part that is read."""
    answer_cycle, forms = cycle(answers), cycle(form for form in FORMS if not form.flowed)
    for number in range(len(LANGUAGES)):
        for program in range(15):
            if (program + number) % 3:
                continue
            answer = next(answer_cycle)
            name, document, needs_sent = list(_documents(letter, answer, number))[program]
            cut = {"quote"}
            if "signature" in document.lower():
                # The first footer of a language is a program's; Proton's block holds a name.
                cut.add("footer" if "proton" not in name else "signature")
            form = next(forms)
            new = "\n".join(answer)
            variant = number % 4
            if variant == 0:
                body = part(document, form, "html")
            elif variant == 1:
                body = multipart(
                    "alternative", part(" \n\xa0\n", FORMS[0]), part(document, form, "html")
                )
            elif variant == 2:
                body = multipart(
                    "related", multipart("alternative", part(document, form, "html")), _logo()
                )
            else:
                text = "\n".join([*answer, "", *marked(letter.text)])
                body = multipart(
                    "alternative",
                    part(text, FORMS[1]),
                    part("<p>take dog</p>" + document, form, "html"),
                )
                cut, needs_sent = {"quote"}, False
            yield (f"html/{name}/{variant}/{form.name}", body, new, sorted(cut), needs_sent)


def _logo() -> bytes:
    return (
        b'Content-Type: image/png; name="take fox.png"\r\nContent-ID: <logo@x>\r\n'
        b"Content-Disposition: inline\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n"
    )
