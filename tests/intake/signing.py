"""Mails signed with DKIM by keys made here, and a name server that is a dict."""

import base64
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

import dkim

from pbem.resolver import LookupFailed

SELECTOR = "s1"
SIGNED = (b"from", b"to", b"subject", b"date", b"message-id")


@dataclass(frozen=True)
class Key:
    """An RSA key: the PEM to sign with, and the TXT record of its public half."""

    pem: bytes
    record: bytes


@cache
def key(bits: int = 1024, seed: int = 1) -> Key:
    chance = random.Random(f"{bits}/{seed}")
    exponent = 65537
    while True:
        p, q = _prime(bits // 2, chance), _prime(bits // 2, chance)
        phi = (p - 1) * (q - 1)
        if p != q and phi % exponent and (p * q).bit_length() == bits:
            break
    n, d = p * q, pow(exponent, -1, phi)
    numbers = (0, n, exponent, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
    private, public = _integers(*numbers), _integers(n, exponent)
    pem = b"--\n" + base64.b64encode(private) + b"\n--"
    return Key(pem, b"v=DKIM1; k=rsa; p=" + base64.b64encode(_as_spki(public)))


def _as_spki(public: bytes) -> bytes:
    """SubjectPublicKeyInfo of an RSAPublicKey (RFC 5280 4.1), as key records hold it."""
    algorithm = bytes.fromhex("300d06092a864886f70d0101010500")
    bits = _der(0x03, b"\0" + public)
    return _der(0x30, algorithm + bits)


def _integers(*numbers: int) -> bytes:
    """A SEQUENCE of INTEGERs: how RSA keys are written (RFC 8017 A.1)."""
    sizes = (number.bit_length() // 8 + 1 for number in numbers)
    return _der(
        0x30,
        b"".join(
            _der(0x02, number.to_bytes(size, "big"))
            for number, size in zip(numbers, sizes, strict=True)
        ),
    )


def _der(tag: int, content: bytes) -> bytes:
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def _prime(bits: int, chance: random.Random) -> int:
    while True:
        candidate = chance.getrandbits(bits) | (3 << (bits - 2)) | 1
        if all(candidate % small for small in (3, 5, 7, 11, 13, 17, 19, 23)) and all(
            _is_witnessed(candidate, chance.randrange(2, candidate)) for _ in range(8)
        ):
            return candidate


def _is_witnessed(n: int, a: int) -> bool:
    """One round of Miller and Rabin."""
    odd = n - 1
    twos = (odd & -odd).bit_length() - 1
    x = pow(a, odd >> twos, n)
    if x in (1, n - 1):
        return True
    return any((x := x * x % n) == n - 1 for _ in range(twos - 1))


def signed(
    raw: bytes,
    domain: str = "example.org",
    *,
    with_key: Key | None = None,
    headers: Iterable[bytes] = SIGNED,
    length: bool = False,
    algorithm: bytes = b"rsa-sha256",
    identity: bytes | None = None,
) -> bytes:
    """The mail with a DKIM-Signature above it.  `identity` may smuggle in further tags:
    ``b"@example.org; x=1; z=example.org"``."""
    pem = (with_key or key()).pem
    signer = dkim.DKIM(raw, signature_algorithm=algorithm)
    signature = signer.sign(
        SELECTOR.encode(), domain.encode(), pem, include_headers=list(headers), length=length,
        canonicalize=(b"relaxed", b"relaxed"), identity=identity,
    )  # fmt: skip
    return bytes(signature) + raw


@dataclass
class Names:
    """A name server: what it knows, and what it was asked.  `None`: no answer in time."""

    records: Mapping[str, bytes | None] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def txt(self, name: str, timeout: float) -> tuple[bytes, ...]:
        assert 0 < timeout <= 3
        self.asked.append(name)
        found = self.records.get(name, b"")
        if found is None:
            raise LookupFailed(name)
        return (found,) if found else ()


def names(*domains: str, **policies: bytes) -> Names:
    """A name server with the key of these domains."""
    return Names({f"{SELECTOR}._domainkey.{domain}": key().record for domain in domains})
