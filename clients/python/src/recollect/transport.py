"""Sends authenticated calls, each attempt with a time-out, and retries them where that is safe."""

from __future__ import annotations

import http.client
import json
import platform
import re
import socket
import time
import urllib.request
import uuid
from dataclasses import dataclass, replace
from typing import Any, Dict, Mapping, NamedTuple, Optional, Tuple, Union
from urllib.parse import quote, urlencode, urlsplit

from .errors import CallFailure, RecollectConnectionError, RecollectUnknownOutcomeError, error_class
from .paging import Page
from .retries import is_unclear, leaves_unclear, seconds_of, wait_before_next
from .secret import Secret

_PAGE = 100


class _AsItIs(urllib.request.HTTPErrorProcessor):
    """Follows no redirect, which might repeat the request elsewhere, and raises for no status."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


_OPENER = urllib.request.build_opener(_AsItIs)


@dataclass(frozen=True)
class Settings:
    """How the client reaches the service."""

    api_key: Secret[str]
    base_url: str
    timeout: float
    max_retries: int
    user_agent: str

    def __post_init__(self) -> None:
        if not _is_key(self.api_key.reveal()):
            raise ValueError("api_key must be a key such as rk_test_…, without blanks")
        if not _is_root(self.base_url):
            raise ValueError("base_url must be an http(s) URL without a user, query or fragment")
        if not self.timeout > 0:
            raise ValueError("timeout must be a number of seconds above 0")
        if self.max_retries < 0:
            raise ValueError("max_retries must be 0 or more")
        _check_header("app_info", self.user_agent)


class _Prepared(NamedTuple):
    """A call as it is sent, the same on every attempt, but the API key, which is to be hidden."""

    method: str
    url: str
    headers: Dict[str, str]
    body: Optional[bytes]
    idempotency_key: Optional[str]
    timeout: float


class _Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    text: bytes


def _is_key(text: object) -> bool:
    return isinstance(text, str) and bool(re.fullmatch(r"[!-~]+", text))


def _is_root(url: str) -> bool:
    parts = urlsplit(url)
    has_more = parts.username is not None or parts.query or parts.fragment
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not has_more


def _check_header(name: str, value: str) -> None:
    if not re.fullmatch(r"[ -~]+", value):
        raise ValueError(f"{name} must be printable ASCII")


def segment(text: str) -> str:
    """Encodes an id as a path segment. Raises ValueError for one that would change the path."""
    if not isinstance(text, str) or text in ("", ".", ".."):
        raise ValueError(f"This is not an id: {text!r}")
    return quote(text, safe="")


def user_agent_of(version: str, app_info: Optional[str]) -> str:
    """Returns the text of `User-Agent`."""
    ours = f"recollect-python/{version} python/{platform.python_version()}"
    return ours if app_info is None else f"{ours} {app_info}"


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _with_query(url: str, query: Optional[Mapping[str, object]]) -> str:
    pairs = [(name, _text(value)) for name, value in (query or {}).items() if value is not None]
    return f"{url}?{urlencode(pairs)}" if pairs else url


class Transport:
    """Sends the calls of one client."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def with_options(self, timeout: Optional[float], max_retries: Optional[int]) -> "Transport":
        """Returns another transport to the same service; None keeps what there is."""
        kept = self._settings
        return Transport(
            replace(
                kept,
                timeout=kept.timeout if timeout is None else timeout,
                max_retries=kept.max_retries if max_retries is None else max_retries,
            )
        )

    def list(self, path: str, query: Mapping[str, object]) -> Page[Any]:
        """Requests a page of a list, which fetches the next ones by their cursor."""

        def fetch_next(after: str) -> Page[Any]:
            # A cursor takes the place of an offset, and by cursor nothing is added up.
            kept = {name: value for name, value in query.items() if name not in ("offset", "sum")}
            limit = _PAGE if kept.get("limit") is None else kept["limit"]
            return self.list(path, {**kept, "limit": limit, "after": after})

        return Page(self.send("GET", path, query=query), fetch_next)

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, object]] = None,
        body: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        only_once: bool = False,
        timeout: Optional[float] = None,
    ) -> Any:
        """
        Sends a call and returns its body. Raises RecollectError for a refusal and
        RecollectUnknownOutcomeError where the call may have taken effect.
        """
        request = self._prepare(method, path, query, body, idempotency_key, only_once, timeout)
        tried, was_unclear = 0, False
        while True:
            tried += 1
            try:
                return self._try(request)
            except CallFailure as error:
                wait = wait_before_next(error, tried, was_unclear)
                is_last = tried > self._settings.max_retries or (only_once and is_unclear(error))
                if is_last or wait is None:
                    if method != "GET" and leaves_unclear(error, was_unclear):
                        raise _unknown_after(error, was_unclear) from error
                    raise
                was_unclear = was_unclear or is_unclear(error)
            time.sleep(wait)

    def _prepare(
        self,
        method: str,
        path: str,
        query: Optional[Mapping[str, object]],
        body: Optional[Mapping[str, Any]],
        idempotency_key: Optional[str],
        only_once: bool,
        timeout: Optional[float],
    ) -> _Prepared:
        settings = self._settings
        headers = {"Accept": "application/json", "User-Agent": settings.user_agent}
        key = None
        content = None
        if method in ("POST", "PUT"):
            # An empty object where there is nothing to say: some proxies refuse a POST without one.
            text = json.dumps(body or {}, ensure_ascii=False, allow_nan=False)
            content = text.encode("utf-8")
            headers["Content-Type"] = "application/json"
            if not only_once:
                key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
                _check_header("idempotency_key", key)
                headers["Idempotency-Key"] = key
        url = _with_query(f"{settings.base_url.rstrip('/')}{path}", query)
        seconds = settings.timeout if timeout is None else max(timeout, settings.timeout)
        return _Prepared(method, url, headers, content, key, seconds)

    def _try(self, request: _Prepared) -> Dict[str, Any]:
        answer = self._fetch(request)
        if isinstance(answer, BaseException):
            raise answer
        body = _parsed(answer.text)
        if 200 <= answer.status < 300 and isinstance(body, dict):
            return body
        request_id = answer.headers.get("x-request-id")
        code, message, details = _envelope(body)
        if answer.status < 400 or code is None:
            raise RecollectConnectionError(
                f"The answer is not the service's: {_what_came(answer)}",
                status=answer.status,
                request_id=request_id,
                idempotency_key=request.idempotency_key,
            )
        raise error_class(answer.status)(
            message,
            code=code,
            status=answer.status,
            details=details,
            request_id=request_id,
            idempotency_key=request.idempotency_key,
            retry_after=seconds_of(answer.headers.get("retry-after")),
            doc_url=f"{self._settings.base_url.rstrip('/')}/docs/errors/{quote(code, safe='')}",
        )

    def _fetch(self, request: _Prepared) -> Union[_Answer, BaseException]:
        """
        Returns the answer, or the error to raise in its place. Tools that report errors show the
        variables of each function, and urllib has the API key in some: an error raised from here
        would lead to them, by its traceback, its cause or its context.
        """
        try:
            sent = urllib.request.Request(
                request.url, data=request.body, headers=request.headers, method=request.method
            )
            sent.add_header("Authorization", f"Bearer {self._settings.api_key.reveal()}")
            with _OPENER.open(sent, timeout=request.timeout) as response:
                return _Answer(response.status, response.headers, response.read())
        except (OSError, http.client.HTTPException) as cause:
            return RecollectConnectionError(
                f"No answer to {request.method} {request.url.split('?')[0]}: "
                f"{_reason(cause, request.timeout)}",
                idempotency_key=request.idempotency_key,
            )
        except BaseException as error:
            # Such as the interruption by a time limit of the caller.
            error.__cause__ = error.__context__ = None
            return error.with_traceback(None)


def _reason(cause: BaseException, timeout: float) -> str:
    reason = getattr(cause, "reason", cause)
    if isinstance(reason, (socket.timeout, TimeoutError)):
        return f"none within {timeout:g} s"
    return str(reason) or type(reason).__name__


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _envelope(body: Any) -> Tuple[Optional[str], str, Optional[Dict[str, str]]]:
    """Reads the error envelope; a code of None: it is none. See docs/rules/api.md#errors."""
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return None, "", None
    code, message, details = error.get("code"), error.get("message"), error.get("details")
    if not isinstance(code, str) or not isinstance(message, str):
        return None, "", None
    return code, message, details if isinstance(details, dict) else None


def _what_came(answer: _Answer) -> str:
    location = answer.headers.get("location")
    if location is not None:
        return f"HTTP status {answer.status} to {location}. Is base_url right?"
    kind = answer.headers.get("content-type") or "without a content type"
    return f"HTTP status {answer.status}, {kind}"


def _unknown_after(error: CallFailure, was_unclear: bool) -> RecollectUnknownOutcomeError:
    why = (
        "An earlier attempt may have taken effect; of the last one"
        if was_unclear
        else "Another request with this key may take effect"
    )
    return RecollectUnknownOutcomeError(
        f"{why}: {error.message}",
        code=error.code,
        status=error.status,
        request_id=error.request_id,
        idempotency_key=error.idempotency_key,
        retry_after=error.retry_after,
        doc_url=error.doc_url,
    )
