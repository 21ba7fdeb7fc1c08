"""Verifies webhooks, and signs one for your tests: docs/rules/webhooks.md#the-service-signature."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import math
import re
import time
import uuid
from dataclasses import dataclass
from typing import (
    Any,
    Dict,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    Union,
    cast,
)

from .errors import WebhookVerificationError
from .secret import Secret

_PREFIX = "whsec_"
_TOLERANCE_SECONDS = 300


class Headers(Protocol):
    """The headers of a request: a dict, or what a web framework has in its place."""

    def items(self) -> Iterable[Tuple[str, Any]]:
        """Returns names and values; a value is a text, or several."""


@dataclass(frozen=True)
class VerifiedWebhook:
    """An event verified to come from the service."""

    id: Optional[str]
    """The same on every delivery: process each id once. None only without `require_standard`."""
    event: str
    data: Dict[str, Any]
    sequence: Optional[int]
    """
    Counts the schedule's events from 1; None for an event of no schedule. No signature covers it:
    use it only for ordering.
    """


@dataclass(frozen=True)
class SignedWebhook:
    """A webhook as the service would send it."""

    payload: bytes
    headers: Dict[str, str]


class _Signed(NamedTuple):
    body: bytes
    secrets: List[Secret[str]]
    now: int
    tolerance: float


def verify_webhook(
    payload: bytes,
    headers: Headers,
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = _TOLERANCE_SECONDS,
    require_standard: bool = True,
    now: Optional[float] = None,
) -> VerifiedWebhook:
    """
    Verifies that a webhook comes from the service, is unaltered and recent, and returns its event.

    `payload`: the raw body as received, in bytes. `headers`: those of the request.
    `secret`: the endpoint's, `whsec_…`; while you rotate it, both. `now`: Unix seconds.
    `require_standard`: whether the Standard Webhooks headers are required. `X-Service-Signature`
    does not cover the timestamp next to it: without them an old webhook could be sent again.

    Raises WebhookVerificationError for a webhook that must not be trusted, and TypeError or
    ValueError for a call without a secret or without the raw body.
    """
    secrets = _hidden(secret)
    del secret
    if not isinstance(payload, (bytes, bytearray)):
        raise TypeError("payload must be the raw body in bytes, not a text or a parsed object")
    moment = time.time() if now is None else now
    if not (math.isfinite(moment) and math.isfinite(tolerance_seconds)):
        raise ValueError("now and tolerance_seconds must be finite numbers")
    _check_secrets(secrets)
    signed = _Signed(bytes(payload), secrets, math.floor(moment), tolerance_seconds)
    _check_service(signed, headers)
    webhook_id = _check_standard(signed, headers, require_standard)
    sequence = _header(headers, "x-service-sequence") or ""
    event = _read_event(signed.body)
    return VerifiedWebhook(
        id=webhook_id,
        event=event["event"],
        data=event["data"],
        sequence=int(sequence) if re.fullmatch(r"[0-9]{1,15}", sequence) else None,
    )


def sign_webhook(
    event: str,
    data: Mapping[str, Any],
    secret: str,
    *,
    id: Optional[str] = None,
    sequence: Optional[int] = None,
    now: Optional[float] = None,
) -> SignedWebhook:
    """
    Signs a webhook of your own, to test your receiver with: it passes `verify_webhook`. Raises
    ValueError for what is no secret of an endpoint.
    """
    hidden = Secret(secret)
    del secret
    _check_secrets([hidden])
    text = json.dumps({"event": event, "data": data}, ensure_ascii=False, separators=(",", ":"))
    payload = text.encode("utf-8")
    seconds = math.floor(time.time() if now is None else now)
    webhook_id = f"evt_{uuid.uuid4()}" if id is None else id
    service = _hmac(_text_of(hidden), payload)
    standard = _hmac(_key_of(hidden), f"{webhook_id}.{seconds}.".encode() + payload)
    headers = {
        "content-type": "application/json",
        "x-service-signature": f"t={seconds},v1={service.hex()}",
        "webhook-id": webhook_id,
        "webhook-timestamp": str(seconds),
        "webhook-signature": f"v1,{base64.b64encode(standard).decode()}",
    }
    if sequence is not None:
        headers["x-service-sequence"] = str(sequence)
    return SignedWebhook(payload, headers)


def _hmac(key: bytes, content: bytes) -> bytes:
    return hmac.new(key, content, hashlib.sha256).digest()


def _header(headers: Headers, name: str) -> Optional[str]:
    """Returns a header, whatever the case of its name. One that is there twice is ambiguous."""
    values: List[str] = []
    for key, value in headers.items():
        if key.lower() == name:
            values.extend([value] if isinstance(value, str) else value)
    if len(values) > 1:
        raise WebhookVerificationError("malformed_header", f"The header {name} is there twice")
    return values[0] if values else None


def _hidden(secret: Union[str, Sequence[str]]) -> List[Secret[str]]:
    return [Secret(one) for one in ([secret] if isinstance(secret, str) else list(secret or []))]


def _check_secrets(secrets: List[Secret[str]]) -> None:
    if not secrets or not all(map(_is_secret, secrets)):
        raise ValueError("secret must be the secret of a webhook endpoint: whsec_…")


def _is_secret(secret: Secret[str]) -> bool:
    text = secret.reveal()
    is_marked = isinstance(text, str) and text.startswith(_PREFIX)
    return is_marked and _from_base64(text[len(_PREFIX) :]) is not None


def _text_of(secret: Secret[str]) -> bytes:
    return secret.reveal().encode()


def _key_of(secret: Secret[str]) -> bytes:
    """Returns the bytes of a secret that was checked."""
    return cast(bytes, _from_base64(secret.reveal()[len(_PREFIX) :]))


def _from_base64(text: str) -> Optional[bytes]:
    if not re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", text):
        return None
    bare = text.rstrip("=")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4))
    except binascii.Error:
        return None


def _check_service(signed: _Signed, headers: Headers) -> None:
    """Checks `X-Service-Signature`, which is keyed with the secret as displayed."""
    name = "X-Service-Signature"
    header = _header(headers, name.lower())
    if header is None:
        raise _missing(name)
    found = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", header)
    if found is None:
        raise _malformed(name)
    _refuse_other_time(signed, int(found.group(1)))
    signature = bytes.fromhex(found.group(2))
    if not _is_signed(map(_text_of, signed.secrets), [signature], signed.body):
        raise _mismatch(name)


def _check_standard(signed: _Signed, headers: Headers, is_required: bool) -> Optional[str]:
    """Checks the Standard Webhooks signature, keyed with the secret's bytes, and returns the id."""
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    webhook_id, timestamp, signatures = (_header(headers, name) for name in names)
    if not is_required and webhook_id is None and timestamp is None and signatures is None:
        return None
    if webhook_id is None:
        raise _missing(names[0])
    if timestamp is None:
        raise _missing(names[1])
    if signatures is None:
        raise _missing(names[2])
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise _malformed(names[1])
    _refuse_other_time(signed, int(timestamp))
    content = f"{webhook_id}.{timestamp}.".encode("utf-8", "replace") + signed.body
    if not _is_signed(map(_key_of, signed.secrets), _signatures_of(signatures), content):
        raise _mismatch(names[2])
    return webhook_id


def _signatures_of(signatures: str) -> List[bytes]:
    """Returns the `v1` signatures of a list such as `v1,<base64> v1,<base64> v2,…`."""
    entries = [entry[3:] for entry in signatures.split(" ") if entry.startswith("v1,")]
    return [one for one in map(_from_base64, entries) if one is not None]


def _is_signed(keys: Iterable[bytes], signatures: List[bytes], content: bytes) -> bool:
    """Compares in constant time."""
    return any(
        hmac.compare_digest(_hmac(key, content), signature)
        for key in keys
        for signature in signatures
    )


def _refuse_other_time(signed: _Signed, seconds: int) -> None:
    if signed.now - seconds > signed.tolerance:
        message = f"The timestamp is older than {signed.tolerance:g} seconds"
        raise WebhookVerificationError("timestamp_too_old", message)
    if seconds > signed.now + signed.tolerance:
        message = "The timestamp is in the future"
        raise WebhookVerificationError("timestamp_in_future", message)


def _read_event(body: bytes) -> Dict[str, Any]:
    try:
        event = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        event = None
    is_event = isinstance(event, dict) and isinstance(event.get("event"), str)
    if not is_event or not isinstance(event.get("data"), dict):
        raise WebhookVerificationError("invalid_payload", "The body is not an event")
    return event


def _missing(name: str) -> WebhookVerificationError:
    return WebhookVerificationError("missing_header", f"The header {name} is missing")


def _malformed(name: str) -> WebhookVerificationError:
    return WebhookVerificationError("malformed_header", f"The header {name} is malformed")


def _mismatch(name: str) -> WebhookVerificationError:
    return WebhookVerificationError("signature_mismatch", f"The {name} does not fit the body")
