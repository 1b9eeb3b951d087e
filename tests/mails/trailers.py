"""What programs, companies and lists add to a mail, above and below the text and the quote."""

from collections.abc import Iterator, Sequence

from tests.mails.languages import LANGUAGES
from tests.mails.quoting import bare, marked
from tests.mails.sample import Letter
from tests.mails.wire import FORMS, part

Made = tuple[str, bytes, str, Sequence[str], bool]

BANNERS = (
    "[EXTERNAL]",
    "[EXTERNAL EMAIL] DO NOT CLICK links or attachments unless you recognize the sender.",
    "CAUTION: This email originated from outside of the organization. Do not click\n"
    "links or open attachments unless you recognize the sender and know the content\nis safe.",
    "CAUTION:\nThis email originated from outside the company. Don't open attachments.",
    "*** EXTERNAL EMAIL: Use caution with links and attachments. ***",
    "You don't often get email from t-k3j5@ark.example.org. Learn why this is important"
    "<https://aka.ms/LearnAboutSenderIdentification>",
    "This message was sent from outside of Example Corp. Please do not reply if in doubt.",
    "Sie erhalten nicht häufig E-Mails von t-k3j5@ark.example.org. Erfahren Sie, warum dies wichtig ist",
    "Sie erhalten nicht oft eine E-Mail von t-k3j5@ark.example.org. Erfahren Sie, warum dies wichtig ist",
    "你通常不会收到来自 t-k3j5@ark.example.org 的电子邮件。了解这一点为什么很重要",
    "ACHTUNG: Diese E-Mail stammt von einem externen Absender. Klicken Sie nicht auf Links.",
    "Attention : ce courriel provient de l'extérieur. Ne cliquez sur aucun lien.",
    "Precaución: este correo proviene de fuera de la organización. No haga clic en enlaces.",
    "Let op: deze e-mail is afkomstig van buiten de organisatie. Klik niet op links.",
    "【外部邮件】此邮件来自组织外部，请勿点击链接。",
    "注意：此邮件来自外部，请勿打开附件。",
)
DISCLAIMERS = (
    "This e-mail and any attachments are confidential and intended only for the addressee.\n"
    "If you have received it in error, do not read it; delete it and tell us.",
    "CONFIDENTIALITY NOTICE: The contents of this message may be privileged. If you are\n"
    "not the intended recipient, you must not use or disclose it.",
    "The information contained in this email is confidential and may not be disclosed.\n\n"
    "Example Ltd is registered in England No. 123456. Registered office: 1 High Street.",
    "IMPORTANT: This message is intended only for the use of the individual named. If not you, wait.",
    "Please consider the environment before printing this email.",
    "Think green - do not print this email unless necessary.",
    "WARNING: Computer viruses can be transmitted via email. The company accepts no liability.",
    "Example Ltd. Registered in England No. 123456.",
    "Virus-free. www.avast.com",
    "Diese E-Mail enthält vertrauliche Informationen. Wenn Sie nicht der richtige Adressat\n"
    "sind, löschen Sie sie bitte.",
    "Bitte prüfen Sie, ob diese Mail wirklich ausgedruckt werden muss!",
    "Denken Sie an die Umwelt, bevor Sie diese E-Mail ausdrucken oder weiterleiten.",
    "Ce message et toutes les pièces jointes sont confidentiels et établis à l'attention\n"
    "exclusive de ses destinataires.",
    "Este mensaje y sus anexos son confidenciales y van dirigidos a su destinatario.",
    "AVISO LEGAL: este mensaje no debe leerlo otra persona.",
    "Le informazioni contenute in questo messaggio sono riservate e non vanno divulgate.",
    "Esta mensagem é confidencial e destinada exclusivamente ao seu destinatário.",
    "Dit bericht is vertrouwelijk en uitsluitend bestemd voor de geadresseerde.",
    "Ta wiadomość jest poufna i przeznaczona wyłącznie dla adresata.",
    "Настоящее сообщение конфиденциально и предназначено только для адресата.",
    "本邮件及其附件含有保密信息，仅限于收件人使用。如果您不是收件人，请删除。",
    "本電子郵件可能含有機密資訊，若您並非收件人，請勿使用。",
)
LIST_FOOTERS = (
    "_______________________________________________\nark mailing list -- ark@lists.example.org\n"
    "To unsubscribe send an email to ark-leave@lists.example.org",
    "_______________________________________________\nArk mailing list\nArk@lists.example.org\n"
    "https://lists.example.org/mailman/listinfo/ark",
    '-- \nYou received this message because you are subscribed to the Google Groups "ark" group.\n'
    "To unsubscribe from this group and stop receiving emails from it, send an email to a@b.example.",
    "-=-=-=-=-=-=-=-=-=-=-=-\nGroups.io Links: You receive all messages sent to this group.\n"
    "View/Reply Online (#1): https://groups.io/g/ark/message/1",
    "To unsubscribe from the ARK list, click the following link:\nhttps://example.org/wa.exe",
    "_______________________________________________\nArk Mailingliste\n"
    "Zum Abmelden eine Mail an ark-leave@lists.example.org senden",
    "Um sich von dieser Liste abzumelden, schreiben Sie an ark-leave@example.org",
)
SIGNATURES = (
    "-- \nCy Miller\nplay dog L1 and other hobbies",
    "--\nCy\n\ntake fox",
    "-- \n*Cy Miller* | Example Ltd | +49 30 1234567",
    "—\nCy Miller",
)
CONTACTS = (
    "Cy Miller\nHead of Something\nExample Ltd\nTel: +49 30 1234567",
    "Cy Miller\n1 High Street\nwww.example.net",
)


def replies(letter: Letter) -> Iterator[Made]:
    """Each addition below a short answer, with the quote under it and without one."""
    introduction = f"On Wed, Dec 2, 2026 at 9:30 PM {letter.sender_name} <{letter.address}> wrote:"
    quoted = "\n".join([introduction, "", *marked(letter.text)])

    def made(name: str, body: str, cut: Sequence[str], needs_sent: bool = False) -> Made:
        return (f"trailer/{name}", part(body, FORMS[0]), "take horse", cut, needs_sent)

    additions = {
        "disclaimer": DISCLAIMERS,
        "list-footer": LIST_FOOTERS,
        "signature": SIGNATURES,
        "footer": [footer for language in LANGUAGES for footer in language.footers],
    }
    for kind, texts in additions.items():
        for number, text in enumerate(texts):
            yield made(f"{kind}/{number}/alone", f"take horse\n\n{text}\n", [kind])
            yield made(f"{kind}/{number}/top", f"take horse\n\n{text}\n\n{quoted}", [kind, "quote"])
            yield made(
                f"{kind}/{number}/bottom", f"{quoted}\n\ntake horse\n\n{text}\n", [kind, "quote"]
            )
    for number, text in enumerate(CONTACTS):
        yield made(f"contact/{number}", f"take horse\n\n{text}\n\n{quoted}", ["signature", "quote"])
    for number, banner in enumerate(BANNERS):
        yield made(
            f"banner/{number}/top", f"{banner}\n\ntake horse\n\n{quoted}", ["banner", "quote"]
        )
        yield made(f"banner/{number}/tight", f"{banner}\ntake horse\n", ["banner"])
        in_quote = "\n".join([introduction, "", *marked(f"{banner}\n\n{letter.text}")])
        yield made(f"banner/{number}/in-quote", f"take horse\n\n{in_quote}", ["quote"])
        block = f"From: {letter.sender_name}\nSent: Wednesday\nTo: Cy\nSubject: Ark\n\n{banner}\n\n"
        yield made(
            f"banner/{number}/in-bare-quote",
            f"take horse\n\n{block}{letter.text}",
            ["banner", "quote"],
        )
        bottom = f"{block}{letter.text}\ntake horse\n"
        yield made(f"banner/{number}/in-bare-quote-bottom", bottom, ["banner", "quote"], True)
    for number, footer in enumerate(("Sent from my iPhone", "发自我的iPhone")):
        both = f"take horse\n\n{footer}\n\n{DISCLAIMERS[0]}\n\n{quoted}"
        yield made(f"both/{number}", both, ["footer", "disclaimer", "quote"])
    for language in LANGUAGES:
        for style in (
            f"---------- {language.forwarded} ---------",
            f"-------- {language.forwarded} --------",
        ):
            sender, sent, to, subject = language.labels
            block = f"{sender}Ark <a@b.example>\n{sent}{language.date}\n{subject}Ark\n{to}<cy@example.net>"
            below = "\n".join([style, block, "", "take fox", "", *bare(letter.text), "play cat L1"])
            yield made(
                f"forward/{language.code}/{len(style)}", f"take horse\n\n{below}", ["forward"]
            )
    for opening in ("Begin forwarded message:", "Anfang der weitergeleiteten Nachricht:"):
        below = f"{opening}\n\nFrom: Ark <a@b.example>\nSubject: Ark\nDate: 2 Dec 2026\nTo: Cy\n\ntake fox"
        yield made(f"forward/apple/{opening[:5]}", f"take horse\n\n{below}", ["forward"])
        yield made(
            f"forward/apple-marked/{opening[:5]}",
            "take horse\n\n" + "\n".join(marked(below)),
            ["quote"],
        )
