"""Words by which mails that no person wrote can be told, in the languages of mail programs.

Compared with the beginning of a subject (or with the text, where it says so) after
`pbem.intake.lines.fold`.
"""

# The whole beginning of the subject, as the programs write it: a colon, a dash or the end follows.
AUTOMATIC_SUBJECTS = """automatic reply|auto reply|auto-reply|autoreply|auto response|auto-response
    |autoresponse|automatic response|auto responder|autoresponder|auto|out of office
    |out of the office|out of office autoreply|out of office reply|out of office notification
    |i am out of office|i am out of the office|ooo|vacation reply|vacation message
    |vacation response|vacation|automatische antwort|abwesenheitsnotiz|abwesenheitsnachricht
    |automatische abwesenheitsnotiz|abwesenheit|abwesend|réponse automatique|absence du bureau
    |absent du bureau|message d'absence|notification d'absence|respuesta automática
    |fuera de la oficina|fuera de oficina|ausente de la oficina|resposta automática
    |fora do escritório|ausência temporária|ausência do escritório|risposta automatica
    |fuori sede|fuori ufficio|assente|automatisch antwoord|afwezigheidsbericht|afwezig
    |niet aanwezig|automatyczna odpowiedź|odpowiedź automatyczna|autoodpowiedź|poza biurem
    |nieobecność|автоматический ответ|автоответ|отсутствую|нет на месте|otomatik yanıt
    |otomatik cevap|ofis dışında|ofis dışı|automatikus válasz|házon kívül|automaattinen vastaus
    |poissaolo|poissaoloviesti|poissa|autosvar|automatiskt svar|frånvaro|frånvaromeddelande
    |ej på kontoret|automatisk svar|ikke til stede|fraværende|fravær|ikke på kontoret
    |automatická odpověď|mimo kancelář|nepřítomnost|自动回复|自动答复|自動回覆|自動回复|自動答覆
    |自動回覆通知|外出自动回复|不在办公室|不在辦公室|自動返信|自動応答|不在通知|不在のお知らせ
    |자동 회신|자동회신|자동 응답|자동응답|자동 답장|부재중|부재 중"""

RECALL_SUBJECTS = """recall|message recall|rückruf|rappel|rappel de message|recuperar|recuperación
    |richiamo|intrekken|cancelar|odwołaj|отзыв|geri çağır|visszahívás|återkalla|återkallning
    |tilbagekald|tilbakekall|stáhnout|撤回|收回|回收|取り消し|回収|회수"""

# In the text of the mail.
RECALL_TEXTS = """would like to recall the message|would like to recall the email
    |möchte die nachricht|souhaite rappeler le message|desea recuperar el mensaje
    |desidera richiamare il messaggio|wil het bericht|gostaria de cancelar a mensagem
    |chce odwołać wiadomość|хотел бы отозвать|iletisini geri çağırmak|vill återkalla meddelandet
    |将撤回邮件|希望撤回|想要撤回|希望收回|想要回收郵件|想要收回|を取り消します|메시지를 회수"""

# Anywhere in the subject.
BOUNCE_SUBJECTS = """undeliver|delivery status|delivery failure|delivery failed|delivery has failed
    |delivery incomplete|delivery delayed|delivery report|delivery problem|delivery notification
    |delivery error|mail delivery|returned mail|returned to sender|failure notice|mail error
    |mail system error|message not delivered|message delayed|message undeliverable|not delivered
    |could not send|nondeliverable|mail failure|could not be delivered|delayed mail|unzustellbar
    |nicht zustellbar|zustellung|unzustellbarkeit|échec de la remise|non remis|non distribué
    |no se puede entregar|no entregado|devuelto|mancata consegna|não entregue|falha na entrega
    |onbestelbaar|niet bezorgd|niedostarczona|nie dostarczono|не доставлено|недоставлен
    |teslim edilemedi|kézbesíthetetlen|toimittamaton|olevererbart|ikke leveret|nedoručitelné
    |投递失败|退信|系统退信|无法投递|無法傳遞|未傳遞|無法投遞|配信不能|配信できません
    |届けられません|배달되지 않음|전송 실패"""
