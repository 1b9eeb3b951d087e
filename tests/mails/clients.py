"""How mail programs with forms of their own introduce a quote."""

from tests.mails.sample import Letter

MARKING = frozenset(
    {
        "163", "163-en", "proton", "k9", "horde", "yahoo", "claws", "gnus", "notes", "mail.ru",
        "outlook-2019", "vietnamese", "greek", "yandex",
    }
)  # fmt: skip
"""The clients with forms of their own that mark what they quote, too."""


def introductions(letter: Letter) -> dict[str, list[str]]:
    """The lines each program puts above the letter."""
    address, name = letter.address, letter.sender_name
    block = [
        f'From: "{name}"<{address}>',
        "Date: Wed, Dec 2, 2026 21:30 PM",
        'To: "Cy"<cy@example.net>;',
        f"Subject: {letter.subject}",
        "",
    ]
    chinese = [
        f'发件人: "{name}" <{address}>;',
        "发送时间: 2026年12月2日(星期三) 晚上9:30",
        '收件人: "Cy"<cy@example.net>;',
        f"主题: {letter.subject}",
        "",
    ]
    table = [
        "",
        "---- 回复的原邮件 ----",
        f"| 发件人 | {name}<{address}> |",
        "| 发送日期 | 2026年12月02日 21:30 |",
        "| 收件人 | <cy@example.net> |",
        f"| 主题 | {letter.subject} |",
    ]
    return {
        "qq": ["", "------------------ 原始邮件 ------------------", *chinese],
        "qq-entities": [
            "",
            "------------------&nbsp;原始邮件&nbsp;------------------",
            f'发件人:{" " * 60}"{name}"{" " * 40}&lt;{address}&gt;;',
            "发送时间:&nbsp;2026年12月2日(星期三) 晚上9:30",
            "收件人:&nbsp;&quot;Cy&quot;&lt;cy@example.net&gt;;",
            f"主题:&nbsp;{letter.subject}",
            "",
        ],
        "qq-en": ["", "------------------ Original ------------------", *block],
        "wechat": ["---Original---", *block],
        "163-mobile": table,
        "163-en": [f'At 2026-12-02 21:30:00, "{name}" <{address}> wrote:'],
        "163": [f'在 2026-12-02 21:30:00，"{name}" <{address}> 写道：'],
        "yahoo": [
            f"On Wednesday, December 2, 2026, 09:30:00 PM GMT+1, {name} <{address}> wrote:",
            "",
        ],
        "proton": [
            "------- Original Message -------",
            f"On Wednesday, December 2nd, 2026 at 9:30 PM, {name} <{address}> wrote:",
            "",
        ],
        "k9": ["-------- Original Message --------", *block],
        "notes": [f"{name} <{address}> wrote on 02.12.2026 21:30:00:", ""],
        "horde": [f"Quoting {name} <{address}>:", ""],
        "outlook-2019": [f'On 02.12.2026 21:30, "{name}" <{address}> wrote:', ""],
        "zoho": ["", f"---- On Wed, 02 Dec 2026 21:30:00 +0100 {address} wrote ----", ""],
        "claws": ["On Wed, 2 Dec 2026 21:30:00 +0100", f"{name} <{address}> wrote:", ""],
        "gnus": [f"{name} <{address}> writes:", ""],
        "proton-old": [
            "‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐",
            f"On Wednesday, December 2nd, 2026 at 9:30 PM, {name} <{address}> wrote:",
        ],
        "gmx": [
            "",
            "Gesendet: Mittwoch, 02. Dezember 2026 um 21:30 Uhr",
            f'Von: "{name}" <{address}>',
            "An: cy@example.net",
            f"Betreff: {letter.subject}",
        ],
        "notes-de": [
            f"Von:        {name} <{address}>",
            "An:        Cy",
            "Datum:        02.12.2026 21:30",
            f"Betreff:        {letter.subject}",
            "",
        ],
        "daum": [
            "--------- 원본 메일 ---------",
            f"보낸사람 : {name} <{address}>",
            "받는사람 : Cy",
            "날짜 : 2026-12-02 21:30",
            f"제목 : {letter.subject}",
        ],
        "139": [
            "----邮件原文----",
            f'发件人："{name}" <{address}>',
            "收 件 人：Cy",
            "抄 送： (无)",
            "发送时间：2026-12-02 21:30:00",
            f"主题：{letter.subject}",
            "",
        ],
        "aliyun": [
            "-" * 66,
            f"发件人:{name} <{address}>",
            "日　期:2026年12月02日 21:30:00",
            "收件人:Cy<cy@example.net>",
            f"主　题:{letter.subject}",
            "",
        ],
        "mailmaster-en": [
            "---- Replied Message ----",
            f"| From | {name}<{address}> |",
            "| Date | 12/02/2026 21:30 |",
            "| To | <cy@example.net> |",
            f"| Subject | {letter.subject} |",
        ],
        "mail.ru": [f"Среда, 2 декабря 2026, 21:30 +03:00 от {name} <{address}>:", ""],
        "yandex": [f'02.12.2026, 21:30, "{name}" <{address}>:'],
        "vietnamese": [f"Vào Th 4, 2 thg 12, 2026 vào lúc 21:30 {name} <{address}> đã viết:", ""],
        "greek": [f"Στις Τετ 2 Δεκ 2026 στις 9:30 μ.μ., ο χρήστης {name} <{address}> έγραψε:", ""],
    }
