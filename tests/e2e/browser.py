"""A browser without pictures: gets pages, keeps cookies, sends forms."""

from __future__ import annotations

import urllib.request
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from urllib.parse import urlencode


class Browser:
    """Gets pages and sends their forms, with the cookies of one visit."""

    def __init__(self) -> None:
        cookies = urllib.request.HTTPCookieProcessor(CookieJar())
        self._opener = urllib.request.build_opener(cookies)

    def get(self, address: str, form: dict[str, str] | None = None) -> tuple[str, str]:
        """The page, and the address it came from in the end."""
        data = None if form is None else urlencode(form).encode()
        with self._opener.open(address, data, timeout=120) as answer:
            assert answer.status == 200
            return answer.read().decode(), answer.url


class Form(HTMLParser):
    """The form that sends to an address with this in it: where to, and its hidden fields."""

    def __init__(self, page: str, part: str) -> None:
        super().__init__()
        self.action, self._part, self._inside = "", part, False
        self.fields: dict[str, str] = {}
        self.feed(page)
        assert self.action, f"no form to {part} in {page}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form" and self._part in said.get("action", ""):
            self._inside, self.action = True, said["action"]
        elif tag == "input" and self._inside and said.get("type") == "hidden":
            self.fields[said["name"]] = said["value"]

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False
