"""Who may ask this server: by which name it is called, from which site, how often; and what its pages may load."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from referee.web import texts

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOCAL = ("localhost", "127.0.0.1", "::1")
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)


@dataclass(frozen=True, slots=True)
class HostNames:
    """The names by which browsers may call this server.

    A page of another site can make a browser ask this server under a name of its own, by pointing that name here. A
    number cannot be pointed anywhere, so in the local network numbers are as good as names that were given.
    """

    known: frozenset[str]
    numbers: bool = False

    @classmethod
    def of(cls, more: Iterable[str] = (), lan: bool = False) -> HostNames:
        return cls(frozenset((*LOCAL, *(name.lower() for name in more))), lan)

    def has(self, host: str) -> bool:
        """Return whether this is the server that a `Host` header names."""
        name = hostname(host)
        if name in self.known:
            return True
        if not self.numbers:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def hostname(host: str) -> str:
    """Return the name in a `Host` header, without the port.

    >>> hostname("Example.org:80"), hostname("[::1]:8000"), hostname("")
    ('example.org', '::1', '')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def same_site(origin: str | None, host: str) -> bool:
    """Return whether a request comes from a page of this server; programs that are no browsers say nothing."""
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


class Guard:
    """Refuses requests for other names and from other sites, and puts the policy on every answer."""

    def __init__(self, app: App, names: HostNames) -> None:
        self.app = app
        self.names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(scope["headers"])}
        problem = self._problem(scope, headers)
        if problem is not None:
            await _refuse(scope, receive, send, problem)
            return

        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *HEADERS]}
            await send(message)

        await self.app(scope, receive, send_with_policy)

    def _problem(self, scope: Scope, headers: dict[str, str]) -> str | None:
        host = headers.get("host", "")
        if not self.names.has(host):
            return texts.OTHER_HOST.format(found=hostname(host)[:100])
        asks = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if asks and not same_site(headers.get("origin"), host):
            return texts.OTHER_ORIGIN
        if asks and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return texts.OTHER_ORIGIN
        return None


async def _refuse(scope: Scope, receive: Receive, send: Send, message: str) -> None:
    if scope["type"] == "websocket":
        await receive()  # the wish to connect
        await send({"type": "websocket.close", "code": 4403, "reason": message[:120]})
        return
    body = message.encode() + b"\n"
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@dataclass(slots=True)
class Rate:
    """A rate limit: an average per second, and a burst."""

    each_second: float
    at_once: float
    left: float = -1.0
    since: float = field(default_factory=time.monotonic)

    def allows(self, now: float | None = None) -> bool:
        """Return whether one more may come now, and count it."""
        now = time.monotonic() if now is None else now
        left = self.at_once if self.left < 0 else min(self.at_once, self.left + (now - self.since) * self.each_second)
        self.since = now
        self.left = max(0.0, left - 1) if left >= 1 else left
        return left >= 1
