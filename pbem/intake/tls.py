"""The certificate of the SMTP listener, read again whenever its files change: it is
renewed every few weeks, and the server goes on."""

import logging
import ssl

from pbem.settings import Settings, SettingsError

log = logging.getLogger(__name__)


class Certificate:
    """The server's side of STARTTLS (RFC 3207)."""

    def __init__(self, settings: Settings) -> None:
        """`SettingsError` when the files cannot be used."""
        group = settings.starttls
        self._certificate = settings.path(group.certificate)
        self._key = settings.path(group.key) if group.key else self._certificate
        self._context = self._load()
        self._read_at = self._changed_at()

    def context(self) -> ssl.SSLContext:
        """For the next connection.  Files that cannot be used now do not end the old
        certificate: the log says so, and they are tried again when they change."""
        changed_at = self._changed_at()
        if changed_at != self._read_at:
            self._read_at = changed_at
            try:
                self._context = self._load()
            except SettingsError as error:
                log.error("the certificate was not renewed: %s", error)
        return self._context

    def _load(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        for name, path in (("certificate", self._certificate), ("key", self._key)):
            try:
                path.read_bytes()
            except OSError as error:
                raise SettingsError(
                    f"setting starttls.{name}: {path} cannot be read: {error.strerror}"
                ) from None
        try:
            # Without a password a locked key would have OpenSSL ask for one at the terminal.
            context.load_cert_chain(self._certificate, self._key, password="")
        except (ssl.SSLError, ValueError) as error:
            raise SettingsError(
                f"setting starttls.certificate: {self._certificate} and {self._key} are no "
                f"certificate with its key in PEM ({getattr(error, 'reason', None) or error})"
            ) from None
        return context

    def _changed_at(self) -> tuple[float, ...]:
        try:
            return tuple(path.stat().st_mtime_ns for path in (self._certificate, self._key))
        except OSError:
            return ()
