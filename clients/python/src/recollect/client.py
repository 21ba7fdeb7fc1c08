"""The client."""

from __future__ import annotations

import re
from typing import Any, Mapping, Optional

from .api import VERSION, Resources
from .secret import Secret
from .transport import Settings, Transport, user_agent_of


class Recollect(Resources):
    """
    Client of the Recollect API. Names and shapes match the HTTP API. Every POST and PUT, except
    those of `sandbox`, carries an `Idempotency-Key`, the same on each attempt, so retries are safe.
    """

    def __init__(
        self,
        api_key: str,
        base_url: str,
        *,
        timeout: float = 30.0,
        max_retries: int = 2,
        app_info: Optional[str] = None,
    ) -> None:
        """
        `api_key`: `rk_test_…` or `rk_live_…`, a secret. `base_url`: without `/api/v1`; if it has a
        path, every API path is appended to it. `timeout`: how long an attempt waits for
        a connection and for each part of the answer, in seconds. `app_info`: your program, such as
        `tea-shop/2.1`, added to `User-Agent`. Raises ValueError for what is none of these.
        """
        secret = Secret(api_key)
        del api_key
        user_agent = user_agent_of(VERSION, app_info)
        self._transport = Transport(Settings(secret, base_url, timeout, max_retries, user_agent))
        super().__init__(self._transport)

    def with_options(
        self, *, timeout: Optional[float] = None, max_retries: Optional[int] = None
    ) -> Resources:
        """Returns the same resources with another time-out or number of retries."""
        return Resources(self._transport.with_options(timeout, max_retries))

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, object]] = None,
        body: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """
        Sends a request for which there is no method, to a service that is newer than this package:
        with the same key, time-outs and retries. `path` begins with `/`; encode the ids in it.
        Raises ValueError for a method besides GET, POST, PUT, DELETE, and for what is no path.
        """
        if method not in ("GET", "POST", "PUT", "DELETE"):
            raise ValueError("method must be GET, POST, PUT or DELETE")
        # Without its slash a path would be a part of the host, which is sent the key.
        if not re.fullmatch(r"/[!-~]*", path):
            raise ValueError("path must begin with / and have its ids encoded")
        return self._transport.send(
            method, path, query=query, body=body, idempotency_key=idempotency_key
        )
