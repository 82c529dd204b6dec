"""TLS towards Chromium: a certificate that lives as long as this process, and the channel that speaks it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import ssl
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path

CHUNK = 64 * 1024
_TLS_HANDSHAKE_RECORD = 0x16


@dataclass(frozen=True, slots=True)
class GuardCertificate:
    """The guard's own certificate: `pin` is what Chromium is told to take on trust, and nothing else."""

    context: ssl.SSLContext
    pin: str


@lru_cache(maxsize=1)
def guard_certificate() -> GuardCertificate:
    """Make the certificate of this process, once; its key never outlives the process."""
    pem, public_key = _self_signed()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        chain = Path(folder) / "guard.pem"
        chain.touch(mode=0o600)
        chain.write_bytes(pem)
        context.load_cert_chain(chain)
    # No HTTP/2: the guard speaks HTTP/1.1, one request at a time per connection.
    context.set_alpn_protocols(["http/1.1"])
    return GuardCertificate(context, base64.b64encode(hashlib.sha256(public_key).digest()).decode())


def _self_signed() -> tuple[bytes, bytes]:
    """Return key and certificate as PEM, and the public key as DER."""
    from cryptography import x509  # noqa: PLC0415 - slow to import, and only a browser needs it
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "limpet egress guard")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    # A process that runs for years keeps its certificate; Chromium judges it by its pin alone.
    builder = builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=3650))
    certificate = builder.sign(key, hashes.SHA256())
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM), public


class PlainChannel:
    """Bytes to and from Chromium as they are."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def receive(self) -> bytes:
        """Return the next bytes, or none once the other side is done."""
        return await self._reader.read(CHUNK)

    async def send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


class TlsChannel:
    """Bytes to and from Chromium through TLS, on top of another channel.

    Written over memory buffers instead of StreamWriter.start_tls, because the first bytes of a tunnel must be
    looked at before we know whether TLS is spoken in it.
    """

    def __init__(self, below: PlainChannel, first_bytes: bytes) -> None:
        self._below = below
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._incoming.write(first_bytes)
        self._tls = guard_certificate().context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._sending = asyncio.Lock()

    async def receive(self) -> bytes:
        """Return the next decrypted bytes, or none once the other side is done."""
        while True:
            try:
                data = self._tls.read(CHUNK)
            except ssl.SSLWantReadError:
                await self._flush()
                if not await self._take_more():
                    return b""
            except ssl.SSLError:
                return b""  # spoken wrongly or closed: either way nothing more can be read
            else:
                await self._flush()
                return data

    async def send(self, data: bytes) -> None:
        self._tls.write(data)
        await self._flush()

    async def _take_more(self) -> bool:
        data = await self._below.receive()
        if data:
            self._incoming.write(data)
        return bool(data)

    async def _flush(self) -> None:
        # Records must reach the wire in the order they were made, also when a read answers a handshake.
        async with self._sending:
            if data := self._outgoing.read():
                await self._below.send(data)


def speaks_tls(first_bytes: bytes) -> bool:
    """Whether a tunnel's first bytes open a TLS handshake."""
    return first_bytes[:1] == bytes([_TLS_HANDSHAKE_RECORD])
