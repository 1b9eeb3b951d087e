"""What looks at the pages finds what is wrong with them, and only once what is the same."""

from playwright.sync_api import Browser

from tests.browsers import PHONE, Eye, new_context, too_wide

PAGE = "<!doctype html><html lang=en><title>Pale</title><main><h1>Pale</h1>{}</main>"


def test_axe_finds_what_is_wrong(browser: Browser) -> None:
    page, eye = new_context(browser, viewport=PHONE).new_page(), Eye()

    def found(html: str) -> list[str]:
        page.set_content(html)
        return [one.split(": ")[1] for one in eye.faults(page)]

    assert found(PAGE.format("<p>dark enough</p>")) == []
    pale = "<p>dark</p><p style='color:#ccc'>pale</p>"
    assert found(PAGE.format(pale)) == ["color-contrast"]
    assert found(PAGE.format(pale)) == [], "the same again"
    assert found(PAGE.format(f"<div style='background:#eee'>{pale}</div>")) == ["color-contrast"]
    assert found(PAGE.format("<img src=x>")) == ["image-alt"]
    page.set_content(PAGE.format("<style>@media (prefers-color-scheme: dark) {p {color:#eee}}"
                                 "</style><p class=other>dark by day</p>"))  # fmt: skip
    assert eye.faults(page) == []
    page.emulate_media(color_scheme="dark")
    assert [one.split(": ")[1] for one in eye.contrasts(page)] == ["color-contrast"]
    page.set_content(PAGE.format("<p style='width:500px'>wide</p>"))
    assert too_wide(page) == [f"{page.url}: 508 pixels wide"]
