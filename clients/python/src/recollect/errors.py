"""What a call or a webhook may raise."""

from __future__ import annotations

from typing import Dict, Optional, Type


class CallFailure(Exception):
    """What is known of a call that did not succeed."""

    def __init__(
        self,
        message: str,
        *,
        code: Optional[str] = None,
        status: Optional[int] = None,
        details: Optional[Dict[str, str]] = None,
        request_id: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        retry_after: Optional[int] = None,
        doc_url: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        """A stable code such as `invalid_request`; None: the service did not say one."""
        self.status = status
        """The HTTP status; None: there was no answer."""
        self.details = details
        """Maps each dotted field path to what is wrong with it."""
        self.request_id = request_id
        """The response's `X-Request-Id`: quote it when you contact support."""
        self.idempotency_key = idempotency_key
        """The call's key: repeated with it, it takes effect only once. None for GET and DELETE."""
        self.retry_after = retry_after
        """In how many seconds to try again, as the service asks; None: it does not say."""
        self.doc_url = doc_url
        """The page about this code."""


class RecollectError(CallFailure):
    """The service refused the call, which had no effect."""


class RecollectRequestError(RecollectError):
    """400, and what else is wrong with the request itself; `details` names the fields."""


class RecollectAuthenticationError(RecollectError):
    """401: the key is missing, wrong or revoked."""


class RecollectPermissionError(RecollectError):
    """403: the key may not do this, or not from here."""


class RecollectNotFoundError(RecollectError):
    """404: there is none, or none of yours."""


class RecollectConflictError(RecollectError):
    """409: it does not fit the state of things now; `code` says which."""


class RecollectRateLimitError(RecollectError):
    """429: too many requests; `retry_after` says in how many seconds to go on."""


class RecollectUnknownOutcomeError(CallFailure):
    """
    Nobody knows whether the call took effect; it was not refused. Repeat it with
    `idempotency_key`, and it takes effect only once.
    """


class RecollectServiceError(RecollectUnknownOutcomeError):
    """5xx: the service could not answer."""


class RecollectConnectionError(RecollectUnknownOutcomeError):
    """
    No answer of the service: the connection failed or timed out, or something in between, such as a
    proxy, answered in its place (`status`).
    """


class WebhookVerificationError(Exception):
    """
    The webhook was not sent by the service, was altered in transit, or is too old. Respond with
    400. `reason` is `missing_header`, `malformed_header`, `timestamp_too_old`,
    `timestamp_in_future`, `signature_mismatch` or `invalid_payload`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


_CLASSES: Dict[int, Type[RecollectError]] = {
    401: RecollectAuthenticationError,
    403: RecollectPermissionError,
    404: RecollectNotFoundError,
    409: RecollectConflictError,
    429: RecollectRateLimitError,
}


def error_class(status: int) -> Type[CallFailure]:
    """Returns the class of an error of the service by its status."""
    if status >= 500:
        return RecollectServiceError
    return _CLASSES.get(status, RecollectRequestError)
