"""E-mails: plain text, sent over SMTP from a thread. None is ever needed to play."""

from __future__ import annotations

import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid, parseaddr
from typing import TYPE_CHECKING, Literal

from damier.core.messages import message

if TYPE_CHECKING:
    from damier.server.notices.links import Links
    from damier.server.notices.notice import Notice
    from damier.server.settings import ServerSettings

Security = Literal["starttls", "tls", "none"]
Outcome = Literal["delivered", "gone", "retry"]
"""``gone``: it will never arrive."""

_PORTS = {"starttls": 587, "tls": 465, "none": 25}
_SECONDS = 20.0  # that a mail server may take for an answer


@dataclass(frozen=True)
class Mailer:
    """Sends e-mails."""

    host: str
    port: int
    security: Security
    user: str
    password: str
    sender: str

    @classmethod
    def of(cls, settings: ServerSettings) -> Mailer | None:
        """Returns the mailer of the settings; None if no mail server is set."""
        if not settings.smtp_host:
            return None
        port = settings.smtp_port or _PORTS[settings.smtp_security]
        password = settings.smtp_password.get_secret_value()
        return cls(settings.smtp_host, port, settings.smtp_security, settings.smtp_user, password, settings.smtp_from)

    def notice(self, told: Notice, email: str, lang: str, links: Links) -> EmailMessage:
        """Returns the e-mail of a notice."""
        stop = message(
            "You get this because you asked damier for notices. Stop all e-mails: {link}",
            link=links.to_unsubscribe(told.person, email),
        )
        lines = [told.text.render(lang), links.page(told.path), "-- ", stop.render(lang)]
        made = self._new(email, told.title.render(lang), lines, lang)
        made["List-Unsubscribe"] = f"<{links.unsubscribing(told.person, email)}>"
        made["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        return made

    def confirmation(self, person: str, name: str, email: str, lang: str, links: Links) -> EmailMessage:
        """Returns the e-mail that asks whether an address belongs to an account."""
        asked = message(
            "The account {name} on damier wants notices sent to this address. If it is yours, confirm it:", name=name
        )
        hours = message(
            "The link is good for two days. If you know nothing of this, do nothing: you get no more e-mails."
        )
        lines = [asked.render(lang), links.to_confirm(person, email), hours.render(lang)]
        return self._new(email, message("Confirm your e-mail address").render(lang), lines, lang)

    def _new(self, email: str, subject: str, lines: list[str], lang: str) -> EmailMessage:
        made = EmailMessage(policy=SMTP.clone(cte_type="7bit"))
        made["From"], made["To"], made["Subject"] = self.sender, email, f"{_one_line(subject)} · damier"
        made["Date"] = formatdate()
        made["Message-ID"] = make_msgid(domain=parseaddr(self.sender)[1].partition("@")[2] or "localhost")
        made["Auto-Submitted"] = "auto-generated"
        made.set_content("\n\n".join(lines) + "\n")
        made["Content-Language"] = lang
        return made

    def send(self, made: EmailMessage) -> Outcome:
        """Sends an e-mail; called in a thread. Never raises."""
        try:
            with self._connected() as server:
                if self.user:
                    server.login(self.user, self.password)
                server.send_message(made)
        except smtplib.SMTPRecipientsRefused as error:
            return "gone" if all(code >= 500 for code, _ in error.recipients.values()) else "retry"
        except (OSError, smtplib.SMTPException, ValueError):
            return "retry"
        return "delivered"

    def _connected(self) -> smtplib.SMTP:
        context = ssl.create_default_context()
        if self.security == "tls":
            return smtplib.SMTP_SSL(self.host, self.port, timeout=_SECONDS, context=context)
        server = smtplib.SMTP(self.host, self.port, timeout=_SECONDS)
        if self.security == "starttls":
            try:
                server.starttls(context=context)
            except BaseException:
                server.close()
                raise
        return server


def _one_line(text: str) -> str:
    return " ".join(text.split())
