"""What programs and companies add to a mail, in their own words.

Mobile footers, caution banners, disclaimers, list footers.  Every pattern is tried on a
line or paragraph after `pbem.intake.lines.fold`, from its beginning, and is linear.
"""

import re


# What stands in front of the words is bounded: a line of dashes is tried at 80 places only.
def _any(*patterns: str, around: str = "{}") -> re.Pattern[str]:
    return re.compile(around.format("(?:" + "|".join(patterns) + ")"))


_DEVICE = "|".join(
    (
        r"i-?phon|i-?pad|ipod|apple|android|samsung|galaxy|huawei|honor|xiaomi|redmi|oneplus|oppo",
        r"vivo|realme|pixel|nokia|htc|sony|xperia|motorola|blackberry|windows|smartphone|handy|phone",
        r"tablet|mobil|outlook|hotmail|yahoo|mail|gmx|web\.de|proton|tuta|k-?9|aqua|spark|aol|edison",
        r"airmail|typeapp|boxer|gmail|thunderbird|zoho|foxmail|qq|canary|telefon|téléphone|teléfono",
        r"cellulare|celular|телефон|смартфон|айфон|почт",
        r"手机|手機|邮箱|郵箱|信箱|邮件|郵件|平板|スマートフォン|携帯|아이폰|갤럭시|휴대폰|스마트폰",
    )
)
FOOTER = _any(
    # A verb of sending, then a device or program.
    rf"(?:sent|gesendet|verschickt|envoyé|envoyée|enviado|enviada|inviato|inviata|verzonden"
    rf"|verstuurd|wysłan[eoay]|отправлено|elküldve|küldve|lähetetty|skickat|skickades|sendt|odesláno"
    rf"|发自|發自|发送自|發送自|来自|來自|寄自|傳送自|從我的|从我的|由我的|通过|透過)\W?.{{0,50}}(?:{_DEVICE}).{{0,80}}",
    # A device or program, then the verb.
    rf".{{0,60}}(?:{_DEVICE}).{{0,50}}(?:gesendet|gönderildi|küldve|küldött|lähetetty|verzonden"
    r"|から送信|より送信|送信|에서 보냄|에서 보낸 메일|에서 발송|에서 전송|发送|傳送|寄出|發送)"
    r"(?:されました|됨|된 메일)?",
    # Outlook offers itself.
    r".{0,40}\boutlook\b.{0,30}\b(?:ios|android|mac)\b.{0,40}",
    r".{0,10}(?:ios|android).{0,10}outlook.{0,30}",
    r"sent (?:from|via|with|using) .{1,50}|yahoo mail: search.{0,40}",
    r"von unterwegs(?: gesendet)?|unterwegs gesendet|(?:please )?(?:excuse|pardon) (?:my )?"
    r"(?:brevity|any typos|typos|spelling|errors).{0,60}",
    around=r"[\s\-–—_*]{{0,80}}{}\s*[.!。]?\s*",
)

DISCLAIMER = _any(
    # English
    r"confidentiality (?:notice|note|statement)|legal (?:notice|disclaimer)|disclaimer\b",
    r"(?:this|the) (?:e-?mail|message|communication|transmission|information)\b.{0,120}"
    r"(?:confidential|privileged|intended (?:only|solely|recipient|for the)|proprietary)",
    r"the (?:contents?|information) (?:of|in|contained in|transmitted (?:in|by)) this"
    r" (?:e-?mail|message).{0,100}(?:confidential|intended|privileged)",
    r"if you (?:are not|have received|received|were not) .{0,40}(?:intended|this (?:e-?mail|message"
    r"|communication) (?:in|by) (?:error|mistake))",
    r"(?:please )?(?:consider|think of|think about) (?:the|our) environment before printing",
    r"before printing this|(?:.{0,40}\b)?(?:do not|don't) print this|save (?:paper|a tree)\b",
    r"this (?:e-?mail|message).{0,60}(?:has been|was|is) (?:scanned|checked|virus)|virus-?free",
    r"scanned by |(?:computer )?viruses (?:can|may) be ",
    r"(?:.{0,60}\b)?(?:registered|incorporated) in (?:england|scotland|wales|ireland)",
    r"registered office|company (?:number|no\.|reg)",
    r"(?:any )?views (?:or opinions )?(?:expressed|presented).{0,80}(?:author|sender|those of)",
    # German
    r"diese (?:e-?mail|nachricht)\b.{0,120}(?:vertraulich|rechtlich geschützt|bestimmungsgemäß)",
    r"vertraulichkeitshinweis|rechtlicher hinweis|der inhalt dieser (?:e-?mail|nachricht)",
    r"(?:bitte )?(?:denken|prüfen|überlegen|schonen) sie.{0,60}(?:umwelt|druck)",
    # French, Spanish, Italian, Portuguese
    r"(?:ce|cet|le présent) (?:message|e-?mail|courriel|courrier)\b.{0,120}"
    r"(?:confidentiel|destiné)",
    r"avis de confidentialité|(?:este|el presente) (?:mensaje|correo|e-?mail)\b.{0,120}"
    r"(?:confidencial|dirigid|destinatario)|aviso (?:legal|de confidencialidad)",
    r"(?:questo|il presente) (?:messaggio|e-?mail)\b.{0,120}(?:riservat|confidenzial|destinatari)",
    r"le informazioni contenute|avviso di riservatezza",
    r"(?:esta|a presente) (?:mensagem|e-?mail)\b.{0,120}(?:confidencia|destinatári|exclusiv)",
    # Dutch, Polish, Russian, Turkish, Hungarian
    r"(?:dit|deze) (?:bericht|e-?mail)\b.{0,120}(?:vertrouwelijk|bestemd)|de informatie verzonden",
    r"(?:ta|niniejsza) wiadomość\b.{0,120}(?:poufn|przeznaczon|zawiera)|klauzula poufności",
    r"(?:настоящее|это|данное) (?:сообщение|письмо|электронное)\b.{0,160}(?:конфиденц|предназнач)",
    r"bu (?:e-?posta|mesaj|ileti)\b.{0,120}(?:gizli|kişiye)|yasal uyarı",
    r"ez az (?:e-?mail|üzenet)\b.{0,120}(?:bizalmas|titkos)",
    # The north, Czech
    r"tämä (?:viesti|sähköposti)\b.{0,120}luottamuksel",
    r"(?:detta|denna|dette|denne) (?:meddelande|mejl|e-post|e-?mail|besked|melding|meddelelse|mail)"
    r"\b.{0,120}(?:konfidentiel|fortrolig|konfidensiel|avsett)",
    r"tato (?:zpráva|e-?mailová)\b.{0,120}(?:důvěrn|určen)",
    # Chinese, Japanese, Korean
    r"(?:本|此|这封|該|该)(?:电子|電子)?(?:邮件|郵件|信件|电邮|電郵).{0,80}"
    r"(?:保密|机密|機密|收件人|法律)",
    r"(?:保密|免责|免責)(?:声明|聲明)|声明[:：].{0,40}邮件",
    r"(?:本|この)(?:電子)?メール.{0,60}(?:機密|秘密|宛先)|본 ?메일.{0,60}(?:기밀|수신인|수신자)",
    around=r"[\s*_\-=#]{{0,80}}(?:(?:important|notice|warning|wichtig|hinweis|note)\s*[:!\-–—]\s*)?{}",
)

_MAIL = r"(?:e-?mail|message|mail|sender)"
BANNER = _any(
    # English
    rf"external(?: {_MAIL})?[\]):!*|-]|external {_MAIL}\b",
    r"(?:caution|warning|attention|notice|important|alert|be careful|security notice)\b"
    rf"[\s\]*:!\-–—]{{1,6}}.{{0,30}}(?:external|outside|originat|{_MAIL})",
    rf"(?:this|the) {_MAIL}.{{0,40}}(?:originat|came|sent|is|was|comes|from).{{0,40}}"
    r"(?:outside|external|unknown sender)",
    r"you don't often get (?:e-?mail|mail) from",
    r"some people who received this message don't often get",
    # German
    r"sie erhalten nicht (?:oft|häufig) (?:eine )?e-?mails? von|externe (?:e-?mail|nachricht)\b",
    r"(?:achtung|vorsicht|warnung|hinweis)\b.{0,20}(?:extern|e-?mail|absender)",
    r"diese (?:e-?mail|nachricht) (?:stammt|kommt|wurde).{0,40}(?:außerhalb|extern)",
    # French, Spanish, Italian, Portuguese
    r"vous n'obtenez pas souvent d'e-?mail",
    r"(?:attention|avertissement)\b.{0,20}(?:expéditeur|courriel|e-?mail|message).{0,40}(?:extern|extér)",
    r"ce (?:courriel|message|mail|e-?mail).{0,30}(?:provient|vient|émane).{0,20}(?:extér|extern)",
    r"no suele recibir correos?|(?:atención|precaución|advertencia)\b.{0,60}(?:extern|fuera)",
    r"este (?:correo|mensaje).{0,30}(?:proviene|procede|se originó).{0,20}(?:fuera|extern)",
    r"(?:attenzione|avviso)\b.{0,60}(?:estern|fuori)|(?:atenção|cuidado)\b.{0,60}(?:extern|fora)",
    r"questa? (?:e-?mail|messaggio).{0,30}proviene.{0,20}(?:estern|fuori)",
    # Dutch, Polish, Russian, Turkish, the north, Hungarian, Czech
    r"(?:let op|waarschuwing|pas op)\b.{0,60}(?:extern|buiten)",
    r"deze e-?mail.{0,30}(?:afkomstig|komt).{0,20}(?:buiten|extern)",
    r"(?:uwaga|ostrzeżenie)\b.{0,60}(?:zewn|spoza)|(?:внимание|осторожно)\b.{0,60}(?:внешн|извне)",
    r"(?:dikkat|uyarı)\b.{0,60}(?:dış|harici)|(?:huom|varoitus)\b.{0,60}ulkopuol",
    r"(?:obs|varning|advarsel|pozor)\b.{0,60}(?:extern|ekstern)|figyelem\b.{0,60}külső",
    # Chinese, Japanese, Korean
    r"(?:注意|警告|提醒)[】\]]?.{0,20}(?:外部|组织外|組織外|公司外)",
    r"[你您]?(?:通常不会|通常不會|不常|不经常|不經常)收到",
    r"外部(?:邮件|郵件|メール|寄件|发件)|社外メール|外部からのメール|(?:이|본) ?메일은 외부",
    r"(?:此|本)(?:邮件|郵件).{0,12}(?:外部|组织之外|組織外)",
    around=r"[\s*_\-=#!⚠️【\[<(]{{0,80}}{}",
)
BANNER_GOES_ON = _any(
    r"(?:do not|don't|never|please|be) .{0,30}"
    r"(?:click|open|reply|forward|careful|cautious|attach|link)",
    r"(?:click|open)(?:ing)? (?:on )?(?:any )?(?:links?|attachments?)",
    r"unless you (?:recogni[sz]e|know|trust|are|verify)|recogni[sz]e the sender",
    r"content\s+is\s+safe",
    r"report (?:suspicious|phishing|this)|learn (?:why this is|more|how)|aka\.ms/learnabout",
    r"(?:use|exercise) caution",
    r"outside (?:of )?(?:the|your|our) (?:organi[sz]ation|company|network)",
    r"attachments? (?:or|and) links?|links? (?:or|and) (?:open )?attachments?",
    r"klicken sie|öffnen sie|anhänge|absender|erfahren sie, warum|ne cliquez|n'ouvrez|expéditeur",
    r"no haga clic|adjuntos|remitente|non cliccare|allegati|mittente|não clique|anexos|remetente",
    r"klik niet|bijlagen|afzender|nie klikaj|załącznik|nadawc|не (?:переходите|открывайте)|вложени",
    r"请勿|請勿|附件|链接|連結|첨부|添付|リンク",
)

LIST_FOOTER = _any(
    r"to (?:unsubscribe|be removed|leave|subscribe|manage your|change your|view this discussion"
    r"|post to this|stop receiving).{0,120}(?:list|group|unsubscri|subscription|e-?mail|visit|send"
    r"|click|discussion|option|here)",
    r"you (?:received|are receiving|receive) (?:this|all) (?:message|e-?mail|mail)s?.{0,40}because",
    r"you(?:'re| are) (?:currently )?subscribed|manage (?:your )?(?:subscription|preferences)",
    r"unsubscribe(?:\s*(?::|here|from|link|at|<|$))|.{0,60}\bmailing list\s*(?:--|$|<|-)",
    r".{0,80}@.{0,60}\bmailing list|groups\.io links:?|view/reply online|yahoo!? groups links",
    r"_,_\._,_|__\._,_\.__",
    r".{0,80}[-+](?:leave|unsubscribe)@",
    r"um sich (?:von|aus) .{0,60}(?:abzumelden|auszutragen)",
    r"um (?:diese liste|sich).{0,60}(?:abmelde|abzumelden|austragen|zu verlassen)",
    r"sie erhalten diese (?:e-?mail|nachricht), (?:weil|da)",
    r"(?:pour vous|pour se) désabonner|vous recevez ce (?:message|mail|courriel) (?:parce|car)",
    r"para (?:cancelar|darse|dejar|anular|sair|remover).{0,60}(?:suscripción|lista|baja|grupo)",
    r"per (?:annullare|cancellarsi|disiscriversi)\b",
    r"(?:om|voor) .{0,20}(?:uit te schrijven|af te melden)",
    r"aby (?:zrezygnować|wypisać|anulować)|чтобы отписаться|отписаться от",
    r"退订|取消订阅|取消訂閱|退訂|您收到此邮件是因为|您會收到這封郵件",
    around=r"[\s*_\-=]{{0,80}}{}",
)
LIST_RULE = re.compile(r"[_=\-~*#]{20,}|(?:-=)+-?|(?:=-)+=?|__\._,_\.___.*")
