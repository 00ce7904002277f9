"""Connections that go only where they may: a host is resolved once, every address is judged, and the connection is made to that address.

Nothing is resolved a second time, so a name cannot point elsewhere after it was judged; each redirect comes through here again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

import httpcore
import httpx

from .addresses import Network, is_public
from .faults import FetchFault
from .resolving import Resolver


class GuardedNetwork(httpcore.AsyncNetworkBackend):
    """Opens connections to public addresses, and to those that are allowed by name. With a `gateway` every connection is made to that
    address and port, which is judged as any other."""

    def __init__(
        self,
        allowed: Sequence[Network] = (),
        gateway: tuple[str, int] | None = None,
        resolver: Resolver | None = None,
    ) -> None:
        self._allowed, self._gateway, self._inner = tuple(allowed), gateway, httpcore.AnyIOBackend()
        self._resolver = resolver or Resolver()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 the contract of httpcore
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        host, port = self._gateway or (host, port)
        addresses = await self._resolver.addresses(host, port, timeout)
        for address in addresses:
            if not is_public(address, self._allowed):
                raise FetchFault("PRIVATE_ADDRESS", f"{host} leads to {address}, which is not public")
        failure: Exception | None = None
        for address in addresses[:4]:
            try:
                return await self._inner.connect_tcp(
                    str(address), port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        assert failure is not None
        raise failure

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 the contract of httpcore
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        raise FetchFault("PRIVATE_ADDRESS", "sockets of this machine are not visited")

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


class GuardedTransport(httpx.AsyncBaseTransport):
    """An httpx transport over guarded connections; HTTP/2 where the site offers it."""

    def __init__(
        self,
        allowed: Sequence[Network] = (),
        *,
        verify: bool = True,
        gateway: tuple[str, int] | None = None,
        resolver: Resolver | None = None,
    ) -> None:
        context = httpx.create_ssl_context(verify=verify, trust_env=False)
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context,
            max_connections=100,
            max_keepalive_connections=20,
            keepalive_expiry=5.0,
            http1=True,
            http2=True,
            network_backend=GuardedNetwork(allowed, gateway, resolver),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        assert isinstance(request.stream, httpx.AsyncByteStream)
        url = httpcore.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        answer = await self._pool.handle_async_request(
            httpcore.Request(
                method=request.method,
                url=url,
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        assert not isinstance(answer.stream, bytes)
        return httpx.Response(
            status_code=answer.status,
            headers=answer.headers,
            stream=_Body(answer.stream),
            extensions=answer.extensions,
        )

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            yield part

    async def aclose(self) -> None:
        if hasattr(self._stream, "aclose"):
            await self._stream.aclose()
