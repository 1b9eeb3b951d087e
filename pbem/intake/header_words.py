"""How mail programs introduce what they quote or forward, in the languages they speak.

Field labels of header blocks, titles of separator lines, and the verbs of "On … wrote:";
en, de, fr, es, it, pt, nl, pl, ru, tr, hu, fi, sv, da, no, cs, ja, ko, zh.  All of it is
compared after case folding.
"""

import re

from pbem.intake.lines import fold

LABELS: dict[str, str] = {
    "from": """from|von|absender|de|expéditeur|da|mittente|remitente|remetente|van|afzender|od
    |nadawca|от|отправитель|от кого|kimden|gönderen|feladó|lähettäjä|från|avsändare|fra|afsender
    |avsender|odesílatel|差出人|送信者|from さん|보낸 사람|보낸사람|发件人|寄件者|寄件人|發件人
    |寄信人""",
    "sent": """sent|date|sent on|gesendet|gesendet am|datum|envoyé|envoyé le|date d'envoi|enviado
    |enviado el|enviado em|enviada|enviada em|fecha|fecha de envío|data|inviato|inviata
    |data invio|verzonden|verzonden op|wysłano|wysłane|отправлено|дата|gönderilme|gönderildi
    |gönderme tarihi|tarih|elküldve|küldve|dátum|lähetetty|päivämäärä|päiväys|skickat|skickad
    |sendt|dato|odesláno|datum odeslání|送信日時|送信日|日時|日付|보낸 날짜|보낸날짜|날짜|일시
    |发送时间|发送日期|时间|日期|寄件日期|傳送時間|傳送日期|發送時間|發送日期|時間|寄件時間""",
    "to": """to|an|empfänger|à|a|destinataire|para|destinatario|destinatário|aan|do|adresat|кому
    |получатель|kime|alıcı|címzett|vastaanottaja|till|mottagare|til|modtager|mottaker|komu
    |příjemce|宛先|받는 사람|받는사람|收件人|收件者|收信人""",
    "cc": """cc|kopie|kopie an|copie|copie à|con copia|copia|cópia|dw|do wiadomości|копия|bilgi
    |másolatot kap|másolat|kopio|kopia|kopi|参照|참조|抄送|副本|副本抄送|抄送至|ccへ|bcc""",
    "subject": """subject|betreff|objet|sujet|asunto|oggetto|assunto|onderwerp|temat|тема|konu|tárgy
    |aihe|ämne|emne|předmět|věc|件名|제목|主题|主旨|主題|标题|標題""",
    "other": """importance|priority|reply-to|reply to|attachments|attachment|wichtigkeit|priorität
    |antwort an|anlagen|anhänge|importancia|importância|priorité|répondre à|pièces jointes
    |responder a|adjuntos|rispondi a|allegati|antwoord aan|bijlagen|załączniki|вложения|ответить
    |ekler|mellékletek|liitteet|bilagor|vedhæftede filer|přílohy|重要度|返信先|添付ファイル
    |重要性|附件|优先级|回复地址|回覆地址|첨부""",
}

ORIGINAL_TITLES = """original message|original|original email|original e-mail|originalmail
    |original-nachricht|ursprüngliche nachricht|originalnachricht|original nachricht
    |ursprungsnachricht|ursprüngliche e-mail|message d'origine|message original|message initial
    |mensaje original|mensaje originario|messaggio originale|messaggio di origine
    |mensagem original|oorspronkelijk bericht|origineel bericht|originele bericht
    |oryginalna wiadomość|wiadomość oryginalna|wiadomość pierwotna|исходное сообщение
    |оригинальное сообщение|исходное письмо|özgün ileti|orijinal mesaj|orijinal ileti
    |eredeti üzenet|alkuperäinen viesti|ursprungligt meddelande|originalmeddelande
    |oprindelig meddelelse|original meddelelse|original besked|opprinnelig melding
    |original melding|původní zpráva|původní e-mail|původní email|元のメッセージ|元のメール
    |원본 메시지|원본 메일|원본 이메일|original message header|原始邮件|原邮件|回复的原邮件
    |原始郵件|原始訊息|原始信件|回覆的原郵件|原郵件|邮件原件|原始邮件信息|reply message
    |replied message|original message text|邮件原文|原文|原始信息|antwort nachricht"""

FORWARD_TITLES = """forwarded message|forwarded by|forwarded email|forwarded mail|forwarded messages
    |weitergeleitete nachricht|weitergeleitete e-mail|message transféré|message transmis
    |message réexpédié|e-mail transféré|courriel transféré|mensaje reenviado
    |mensagem encaminhada|mensagem reencaminhada|messaggio inoltrato|doorgestuurd bericht
    |wiadomość przekazana|przekazana wiadomość|wiadomość przesłana dalej
    |treść przekazanej wiadomości|пересылаемое сообщение|пересланное сообщение
    |перенаправленное сообщение|пересланное письмо|iletilen mesaj|yönlendirilen ileti
    |yönlendirilmiş mesaj|iletilmiş ileti|iletilmiş mesaj|i̇letilen ileti|továbbított üzenet
    |továbbított levél|välitetty viesti|välitetty viesti / fwd.msg|edelleenlähetetty viesti
    |vidarebefordrat meddelande|vidarebefordrat brev|vidarebefordrat mejl|videresendt meddelelse
    |videresendt besked|videresendt melding|videresendt e-post|přeposlaná zpráva
    |přeposlaný e-mail|přeposlaný email|転送されたメッセージ|転送メッセージ|転送メール
    |전달된 메시지|전달된 메일|转发的邮件|转发邮件|转发信息|转发邮件信息|轉寄的郵件|轉寄郵件
    |轉寄的訊息|已轉寄郵件|转发的消息|轉發郵件|轉發的郵件|被转发邮件信息"""

# Apple Mail's lines in front of a forwarded mail; they stand alone, with a colon.
FORWARD_OPENINGS = """begin forwarded message|anfang der weitergeleiteten nachricht
    |beginn der weitergeleiteten nachricht|début du message réexpédié|début du message transféré
    |inicio del mensaje reenviado|inizio messaggio inoltrato|inizio del messaggio inoltrato
    |início da mensagem reencaminhada|início da mensagem encaminhada|begin doorgestuurd bericht
    |początek przekazywanej wiadomości|początek przekazanej wiadomości
    |начало переадресованного сообщения|начало пересылаемого сообщения|iletilen ileti başlangıcı
    |ileti başlangıcı|iletilmiş ileti başlangıcı|iletilen mesajın başlangıcı
    |továbbított levél kezdete|továbbított üzenet kezdete|välitetty viesti alkaa
    |välitetyn viestin alku|vidarebefordrat brev|vidarebefordrat mejl
    |börja vidarebefordrat meddelande|start på videresendt besked|begynd videresendt besked
    |videresendt melding|start på videresendt melding|začátek přeposlané zprávy
    |začátek přeposílané zprávy|転送されたメッセージ|転送|전달된 메시지 시작|전달된 메시지
    |以下是转发的邮件|下面是被转发的邮件|开始转发的邮件|開始轉寄郵件|以下是轉寄的郵件
    |下面是被轉發的郵件"""

WROTE = """wrote|writes|has written|schrieb|schrieb am|schreibt|hat geschrieben|geschrieben|a écrit
    |écrit|ecrit|escribió|escribio|ha escrito|ha scritto|scrive|scritto|escreveu|escreve|schreef
    |schrijft|geschreven|napisał|napisała|napisał(a)|napisała(a)|napisali|napisana|pisze|пишет
    |написал|написала|написал(а)|писал|yazdı|yazmış|şunları yazdı|írta|írja|kirjoitti|kirjoittaa
    |skrev|skriver|har skrevet|napsal|napsala|napsal(a)|píše|さんは書きました|が書きました
    |は書きました|のメール|のメッセージ|さんからのメール|wrote、|작성|님이 작성|님이 씀|쓴 글
    |쓴 메일|썼습니다|写道|写|寫道|寫|写到|寫到|来信|來信|的郵件|的邮件|έγραψε|a scris|scris
    |написа|пише|написав|כתב|כתבה|كتب"""

QUOTING = (
    "quoting|zitat von|citando a|citando|en réponse à|selon|citat från|citerar|in message|quoth"
)


def phrases(table: str) -> set[str]:
    """The phrases of a table, folded."""
    return {fold(" ".join(phrase.split())) for phrase in table.split("|")}


def alternation(table: str) -> str:
    """The phrases of a table as a regular expression: the longest first, so that no phrase
    is found in place of one it begins."""
    return "|".join(map(re.escape, sorted(phrases(table), key=len, reverse=True)))
