"""HTML to lines: what a reader sees, quotes and hidden parts known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.intake.html_text import html_lines, html_text
from pbem.intake.html_tokens import tokens
from tests.examples import examples


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("take fox", "take fox"),
        ("<p>take fox</p><p>play cat L1</p>", "take fox\n\nplay cat L1"),
        ('<p class="MsoNormal">a</p><p class=MsoNormal>b</p>', "a\nb"),
        ('<p style="margin: 0">a</p><p style="margin:0px">b</p>', "a\nb"),
        ("<div>a</div><div><br></div><div>b</div>", "a\n\nb"),
        ("<div>a<br></div><div>b</div>", "a\nb"),
        ("a<br/>b<BR>c", "a\nb\nc"),
        ("  take\n  fox\t now ", "take fox now"),
        ("<b>ta</b>ke <i>fox</i>", "take fox"),
        ("<pre>take  fox\n  x</pre>y", "take  fox\n  x\ny"),
        ("<ul><li>a<li>b</ul>c", "a\nb\nc"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>", "a b\nc"),
        ("a&nbsp;b &lt;c&gt; &#20320; &amp;amp;", "a b <c> 你 &amp;"),
        ("<style>p{}</style><script>x</script><title>t</title>a<!-- c -->b", "ab"),
        ("<!--[if mso]>x<![endif]-->a<![if !mso]>b<![endif]>", "ab"),
        ("<head><meta charset=x>hidden</head><body>a", "a"),
        ('<div style="display:none">x</div>a<span style="DISPLAY: NONE;">y</span>', "a"),
        ('<div style="font-size:0">x</div><p style="mso-hide:all">y</p>a', "a"),
        ('<div style="font-size:0.9em">a</div>', "a"),
        ('<div style="max-height:0;overflow:hidden">x</div>a', "a"),
        ("<blockquote>q<blockquote>r</blockquote></blockquote>a", "> q\n>> r\na"),
        ("a < b and <3", "a < b and <3"),
        ('<a href="x>y">link</a>', "link"),
        ('<a href="x>link</a> b', "link b"),
        ("<a href='x", ""),
        ("a<!-- never closed", "a"),
        ("</div></p>a</span>", "a"),
        ("<P>a<P>b", "a\n\nb"),
        ("<o:p>a</o:p>", "a"),
        ("<textarea>take fox</textarea>a", "a"),
    ],
)
def test_the_text_of_a_document(html: str, expected: str) -> None:
    assert html_text(html) == expected


def test_containers_and_roles() -> None:
    html = (
        '<div>new</div><div class="gmail_signature">Cy</div><div class="x_gmail_quote gmail_quote">'
        '<div class="gmail_attr">On … wrote:</div><blockquote class="gmail_quote">old</blockquote>'
        'between</div><div class="moz-forward-container">passed on</div>after'
    )
    lines, complete = html_lines(html)
    found = [(line.text, line.depth, line.role, bool(line.container)) for line in lines]
    assert complete
    assert found == [
        ("new", 0, "", False),
        ("Cy", 0, "signature", False),
        ("On … wrote:", 0, "attribution", True),
        ("old", 1, "", True),
        ("between", 0, "", True),
        ("passed on", 0, "forward", False),
        ("after", 0, "", False),
    ]


def test_hidden_text_can_be_shown() -> None:
    lines, _ = html_lines('<div style="display:none">x</div>a', show_hidden=True)
    assert [line.text for line in lines] == ["x", "a"]


def test_a_document_of_too_many_tags_says_so() -> None:
    lines, complete = html_lines("<p>a</p>" * 40_000)
    assert not complete
    assert lines


PIECES = st.sampled_from(
    ["<", ">", "</", "<!--", "-->", "<a href='", '"', "'", "<p>", "</p>", "<div style=display:none>",
     "<blockquote>", "</blockquote>", "text", " ", "\n", "&amp", "&#", "<style>", "</style", "<td>", "<br/>", "<?", "<![CDATA["]
)  # fmt: skip


@given(st.lists(PIECES, max_size=60))
@examples(80)
def test_any_document_is_read(pieces: list[str]) -> None:
    html = "".join(pieces)
    lines, complete = html_lines(html)
    assert complete
    assert all("\n" not in line.text and line.depth >= 0 for line in lines)
    for kind, name, _ in tokens(html):
        assert kind in ("text", "open", "close")
        assert (kind == "text") == (name == "")
