"""What programs and companies add to a mail, in their own words.

Mobile footers, disclaimers, caution banners, list footers.  Every pattern is tried on a
folded line or paragraph, and all of them are linear.
"""

import re

_DEVICES = (
    r"iphone|ipad|ipod|android|samsung|galaxy|huawei|xiaomi|redmi|oneplus|oppo|vivo|pixel|nokia"
    r"|blackberry|windows phone|smartphone|handy|mobile|mobil\w*|outlook|yahoo|mail|gmx|web\.de|proton|protonmail"
    r"|tutanota|tuta|k-9|k9|aqua|fairemail|spark|bluemail|blue mail|aol|nine|edison|airmail|typeapp|boxer"
    r"|telefon\w*|téléphone|teléfono|cellulare|celular|gmail|apple|thunderbird|zoho|foxmail|qq|qq邮箱"
    r"|hotmail|aquamail|canary|newton|htc|sony|xperia|lg|motorola|honor|realme|my phone|phone|tablet|watch"
    r"|手机|手機|邮箱|郵箱|信箱|邮件|郵件|电脑|平板|スマートフォン|携帯|아이폰|갤럭시|휴대폰|스마트폰|телефон\w*|смартфон\w*|айфон\w*"
)
_SENT_FROM = (
    r"sent (?:from|via|using|with|by)|sent on the|get|von (?:meine[mr]|unterwegs)|gesendet (?:mit|von|über|aus)"
    r"|diese (?:e-mail|nachricht) wurde (?:von|mit)|von .{0,20} gesendet"
    r"|envoyé (?:de|depuis|à partir|avec|par|via)|obtenez|télécharger|enviado (?:desde|de|do|a partir|con|com|pelo|via)|obtener|obter"
    r"|inviato (?:da|dal|con|tramite)|scarica|ottieni|verzonden (?:vanaf|vanuit|met|via)|verstuurd (?:vanaf|met|vanuit)|download"
    r"|wysłan[eoay] (?:z|ze|za|przy)|wysłano (?:z|ze|za)|pobierz|отправлено (?:с|со|из|через)|загрузить|скачать"
    r"|iphone'umdan|ipad'imden|edinin|az iphone-omról küldve|elküldve|küldve|lähetetty|hanki|skickat (?:från|med|via)|skickades|hämta"
    r"|sendt (?:fra|med|via)|hent|odesláno (?:z|ze|pomocí)|získejte|stáhnout"
    r"|发自|发送自|来自|通过|從我的|寄自|傳送自|透過|由我的|获取|下载|取得|我的|에서 보냄|から送信"
)
FOOTER = re.compile(
    rf"[\s\-–—_*]*(?:"
    rf"(?:{_SENT_FROM})(?!\w).{{0,60}}(?:{_DEVICES}).{{0,80}}"
    rf"|(?:发自|发送自|來自|来自|寄自|傳送自|從我的|从我的|由我的|通过|透過|获取|下载|取得).{{0,40}}"
    rf"|.{{0,40}}(?:{_DEVICES}).{{0,20}}(?:から送信(?:されました)?|에서 (?:보냄|발송|전송).{{0,10}}|'(?:umdan|imden|dan|den) gönderildi"
    rf"|gönderildi|küldve|lähetetty|发送|傳送|寄出|發送|送信)"
    rf"|.{{0,20}}(?:iphone|ipad|android|samsung|outlook|telefon)\S* (?:gönderildi|küldve|lähetetty|küldött).{{0,20}}"
    rf"|get outlook for (?:ios|android|mac)|outlook für (?:ios|android|mac) (?:beziehen|herunterladen)"
    rf"|sent from my .{{1,40}}|sent from (?:mail|outlook|yahoo).{{0,60}}|von meinem .{{1,40}} gesendet"
    rf"|(?:please )?excuse (?:brevity|any typos|my brevity|typos).{{0,60}}"
    rf"|(?:von|sent|envoyé|enviado) unterwegs.{{0,30}}"
    rf")\s*[.!。]?\s*(?:<\s*>)?\s*"
)

_DISCLAIMERS = (
    r"confidentiality (?:notice|note|statement)|legal (?:notice|disclaimer)|disclaimer\b"
    r"|(?:this|the) (?:e-?mail|message|communication|transmission|information)\b.{0,120}"
    r"(?:confidential|privileged|intended (?:only|solely|recipient|for the)|proprietary)"
    r"|(?:contents?|information) (?:of|in|contained in|transmitted (?:in|by)) this (?:e-?mail|message).{0,100}(?:confidential|intended|privileged)"
    r"|if you (?:are not|have received|received|were not) .{0,40}(?:intended|this (?:e-?mail|message|communication) (?:in|by) (?:error|mistake))"
    r"|(?:please )?(?:consider|think of|think about) (?:the|our) environment before printing|before printing this|save (?:paper|a tree)"
    r"|please do not print this"
    r"|this (?:e-?mail|message).{0,60}(?:has been|was|is) (?:scanned|checked|virus)|virus-?free|scanned (?:by|for) "
    r"|(?:registered|incorporated) in (?:england|scotland|wales|ireland|the netherlands)|registered office|company (?:number|no\.?|reg)"
    r"|views (?:or opinions )?expressed (?:in|are).{0,80}(?:author|sender|those of)"
    r"|diese (?:e-?mail|nachricht)\b.{0,120}(?:vertraulich|rechtlich geschützt|bestimmungsgemäß|ausschließlich)|vertraulichkeitshinweis|rechtlicher hinweis"
    r"|der inhalt dieser (?:e-?mail|nachricht)|bitte (?:denken sie an|beachten sie|prüfen sie).{0,60}(?:umwelt|ausdruck|drucken)"
    r"|(?:ce|cet|le présent) (?:message|e-?mail|courriel|courrier)\b.{0,120}(?:confidentiel|destiné|exclusiv)|avis de confidentialité"
    r"|(?:este|el presente) (?:mensaje|correo|e-?mail)\b.{0,120}(?:confidencial|dirigido|destinatario|exclusiv)|aviso (?:legal|de confidencialidad)"
    r"|(?:questo|il presente) (?:messaggio|e-?mail)\b.{0,120}(?:riservat|confidenzial|destinatari)|le informazioni contenute|avviso di riservatezza"
    r"|(?:esta|a presente) (?:mensagem|mensaje|e-?mail)\b.{0,120}(?:confidencia|destinatári|exclusiv)|aviso de confidencialidade"
    r"|(?:dit|deze) (?:bericht|e-?mail)\b.{0,120}(?:vertrouwelijk|bestemd)|de informatie (?:verzonden|in dit)"
    r"|(?:ta|niniejsza) wiadomość\b.{0,120}(?:poufn|przeznaczon|zawiera)|klauzula poufności"
    r"|(?:настоящее|это|данное) (?:сообщение|письмо|электронное)\b.{0,160}(?:конфиденциальн|предназначен)"
    r"|bu (?:e-?posta|mesaj|ileti)\b.{0,120}(?:gizli|kişiye)|yasal uyarı|ez az (?:e-?mail|üzenet)\b.{0,120}(?:bizalmas|titkos)"
    r"|tämä (?:viesti|sähköposti)\b.{0,120}luottamuksel|(?:detta|denna|dette|denne) (?:meddelande|mejl|e-post|e-mail|besked|melding|meddelelse|mail)\b.{0,120}(?:konfidentiel|fortrolig|konfidensiel|avsett)"
    r"|tato (?:zpráva|e-?mailová)\b.{0,120}(?:důvěrn|určen)"
    r"|(?:本|此|这封|該)(?:电子|電子)?(?:邮件|郵件|信件|电邮|電郵).{0,80}(?:保密|机密|機密|收件人|附件|法律)|(?:保密|免责|免責)(?:声明|聲明)|声明：.{0,40}邮件"
    r"|本メール.{0,60}(?:機密|秘密|宛先)|本 ?메일.{0,60}(?:기밀|수신인|수신자)|この(?:電子)?メール.{0,60}(?:機密|秘密|宛先)"
)
DISCLAIMER = re.compile(rf"[\s*_\-=#]*(?:{_DISCLAIMERS})")

BANNER = re.compile(
    r"[\s*_\-=#!⚠️\[<|]*(?:"
    r"\[?\(?external(?: (?:e-?mail|sender|message|mail))?[\]):!]"
    r"|\[?(?:caution|warning|attention|notice|important|alert|be careful|security notice)\b[\s\]*:!\-–—]{1,6}"
    r".{0,30}(?:external|e-?mail|message|sender|mail|outside|originat)"
    r"|(?:this|the) (?:e-?mail|message|mail|sender).{0,40}(?:originat|came|sent|is|was|comes|sender|from).{0,40}(?:outside|external|unknown sender)"
    r"|external (?:e-?mail|sender|message)\b"
    r"|you don't often get (?:e-?mail|mail) from|some people who received this message don't often get"
    r"|sie erhalten nicht (?:oft|häufig) e-?mails? von|(?:achtung|vorsicht|warnung|hinweis)\b.{0,20}(?:externe?|e-?mail|absender|mail).{0,60}"
    r"|diese (?:e-?mail|nachricht) (?:stammt|kommt|wurde).{0,30}(?:außerhalb|extern)|externe (?:e-?mail|nachricht|absender)\b"
    r"|vous n'obtenez pas souvent d'e-?mail|(?:attention|avertissement)\b.{0,20}(?:expéditeur|courriel|e-?mail|message|mail).{0,30}(?:extern|extérieur)"
    r"|ce (?:courriel|message|mail|e-?mail).{0,30}(?:provient|vient|émane).{0,20}(?:extérieur|externe)"
    r"|no suele recibir correos?|(?:atención|precaución|advertencia)\b.{0,40}(?:extern|fuera)|este (?:correo|mensaje).{0,30}(?:proviene|procede|se originó).{0,20}(?:fuera|extern)"
    r"|(?:attenzione|avviso)\b.{0,60}(?:estern|fuori)|questa? (?:e-?mail|messaggio).{0,30}proviene.{0,20}(?:estern|fuori)"
    r"|(?:atenção|cuidado)\b.{0,60}(?:extern|fora)|(?:let op|waarschuwing|pas op)\b.{0,60}(?:extern|buiten)|deze e-?mail.{0,30}(?:afkomstig|komt).{0,20}(?:buiten|extern)"
    r"|(?:uwaga|ostrzeżenie)\b.{0,60}(?:zewn|spoza)|(?:внимание|осторожно)\b.{0,60}(?:внешн|извне)"
    r"|(?:dikkat|uyarı)\b.{0,60}(?:dış|harici)|(?:obs|varning|advarsel|advarsel|huom|varoitus|figyelem|pozor)\b.{0,60}(?:extern|ekstern|ulkopuol|külső|extern)"
    r"|(?:【|\[)?(?:外部(?:邮件|郵件|メール|寄件|发件)|注意|警告|提醒)(?:】|\])?.{0,20}(?:外部|组织外|組織外|公司外)|(?:【|\[)(?:外部邮件|外部郵件|外部メール|社外メール)(?:】|\])"
    r"|(?:此|本)(?:邮件|郵件).{0,12}(?:外部|组织之外|組織外)|(?:이|본) ?메일은 외부|外部からのメール"
    r")"
)
# What goes on in a banner after its first line.
BANNER_GOES_ON = re.compile(
    r"(?:do not|don't|never|please|be) .{0,30}(?:click|open|reply|forward|careful|cautious|attachment|link)"
    r"|(?:click|open)(?:ing)? (?:on )?(?:any )?(?:links?|attachments?)|unless you (?:recogni[sz]e|know|trust|are|verify)|know the content is safe"
    r"|recogni[sz]e the sender|report (?:suspicious|phishing|this)|learn (?:why this is|more|how)|aka\.ms/learnabout|use caution|exercise caution"
    r"|outside (?:of )?(?:the|your|our) (?:organi[sz]ation|company|network|university)|attachments? (?:or|and) links?|links? (?:or|and) (?:open )?attachments?"
    r"|klicken sie|öffnen sie|anhänge|absender|ne cliquez|n'ouvrez|pièces jointes|expéditeur|no haga clic|adjuntos|remitente|non cliccare|allegati|mittente"
    r"|não clique|anexos|remetente|klik niet|bijlagen|afzender|nie klikaj|załącznik|nadawc|не (?:переходите|открывайте)|ссылк|вложени"
    r"|请勿|請勿|附件|链接|連結|발신자|첨부|添付|リンク"
)

LIST_FOOTER = re.compile(
    r"[\s*_\-=]*(?:"
    r"to (?:unsubscribe|be removed|leave|subscribe|manage your|change your|view this discussion|post to this|stop receiving).{0,120}(?:list|group|unsubscri|subscription|e-?mail|mailing|visit|send|click|discussion|from it|option|here)"
    r"|you (?:received|are receiving|receive|got|get) (?:this|all) (?:message|e-?mail|mail|messages|mails)?.{0,40}because"
    r"|you(?:'re| are) (?:currently )?subscribed|unsubscribe(?:\s*(?::|here|from|link|at|<|$)).{0,160}|manage (?:your )?(?:subscription|preferences)|mailing list\b.{0,80}"
    r"|.{0,60}\bmailing list\s*(?:--|$|<).{0,100}|.{0,80}@.{0,60}\bmailing list"
    r"|groups\.io links:?|view/reply online|yahoo!? groups links|_,_\._,_|__\._,_\.__.*"
    r"|um (?:sich|diese liste|sich von|die mitgliedschaft).{0,60}(?:abzumelden|abmelden|austragen|zu verlassen)|sie erhalten diese (?:e-?mail|nachricht), (?:weil|da)"
    r"|(?:pour vous|pour se) désabonner|se désinscrire|vous recevez ce (?:message|mail|courriel) (?:parce|car)"
    r"|para (?:cancelar|darse|dejar|anular|sair|remover).{0,60}(?:suscripción|lista|baja|grupo|inscrição)|per (?:annullare|cancellarsi|disiscriversi).{0,60}"
    r"|(?:om|voor) .{0,20}(?:uit te schrijven|af te melden|afmelden)|aby (?:zrezygnować|wypisać|anulować).{0,60}"
    r"|чтобы отписаться|отписаться от|退订|取消订阅|取消訂閱|退訂|您收到此邮件是因为|您會收到這封郵件"
    r")"
)
LIST_RULE = re.compile(r"[_=\-~*#]{20,}|(?:-=)+-?|(?:=-)+=?|__\._,_\.___.*")
