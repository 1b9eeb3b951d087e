"""`python -m pbem.translation`: bring the catalogues up to date and say what is missing."""

import sys
from collections.abc import Sequence

from pbem.translation.catalogues import LANGUAGES, ORIGINAL
from pbem.translation.extraction import update, written


def main() -> int:
    update()
    for language in LANGUAGES:
        if language != ORIGINAL:
            messages = [message for message in written(language) if message.id]
            missing = sum(not _said(message.string) for message in messages)
            print(f"{language}: {len(messages)} sentences, {missing} to be translated")
    return 0


def _said(said: str | Sequence[str] | None) -> bool:
    return bool(said) if isinstance(said, str) else bool(said) and all(said or ())


if __name__ == "__main__":
    sys.exit(main())
