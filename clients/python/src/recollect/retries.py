"""When a call is tried again. Nothing here waits or sends."""

from __future__ import annotations

import math
import random
import re
import time
from email.utils import parsedate_to_datetime
from typing import Optional

from .errors import CallFailure, RecollectError, RecollectUnknownOutcomeError

_FIRST_WAIT = 0.25
_LONGEST_WAIT = 8.0
# The rate limit is per minute: whether to wait longer is up to the caller.
_LONGEST_RETRY_AFTER = 60
# Refusals that say nothing of an earlier attempt under the same key: it may have taken effect.
_SILENT_STATUSES = (401, 403, 429)
_IN_PROGRESS = "request_in_progress"


def is_unclear(error: CallFailure) -> bool:
    """Returns whether the failed request may have taken effect."""
    return isinstance(error, RecollectUnknownOutcomeError)


def wait_before_next(error: CallFailure, tried: int, was_unclear: bool) -> Optional[float]:
    """
    Returns the delay before the next attempt, in seconds; None: do not retry. Retries unknown
    outcomes, 429 and, after an attempt with an unknown outcome, 409 `request_in_progress`: that
    attempt is still being processed. `tried`: the number of attempts made.
    """
    is_in_progress = was_unclear and error.code == _IN_PROGRESS
    if not (is_unclear(error) or error.status == 429 or is_in_progress):
        return None
    if error.retry_after is not None:
        return float(error.retry_after) if error.retry_after <= _LONGEST_RETRY_AFTER else None
    most = min(_FIRST_WAIT * 2 ** (tried - 1), _LONGEST_WAIT)
    return most / 2 + random.random() * most / 2


def leaves_unclear(error: CallFailure, was_unclear: bool) -> bool:
    """
    Returns whether a refusal leaves open if the call takes effect: an earlier attempt may have, or
    another request with the same key, which is still being processed, may yet.
    """
    if not isinstance(error, RecollectError):
        return False
    # The code alone also says that something else is under way, unrelated to this call.
    if error.code == _IN_PROGRESS and "Idempotency-Key" in (error.details or {}):
        return True
    return was_unclear and (error.status in _SILENT_STATUSES or error.code == _IN_PROGRESS)


def seconds_of(retry_after: Optional[str]) -> Optional[int]:
    """Returns the seconds that a `Retry-After`, a number or a date, asks for; None: neither."""
    if retry_after is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", retry_after):
        return int(retry_after)
    try:
        at = parsedate_to_datetime(retry_after).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return max(0, math.ceil(at - time.time()))
