"""What moderators look things up in: the games, people, mails, letters and the audit, each as
far as the role of whoever asks reaches, a page at a time."""

PAGE = 50  # rows
