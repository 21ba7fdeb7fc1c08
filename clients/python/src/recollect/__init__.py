"""The Python client of Recollect, recurring collections over open banking. See README.md."""

from .api import VERSION as __version__
from .client import Recollect
from .errors import (
    RecollectAuthenticationError,
    RecollectConflictError,
    RecollectConnectionError,
    RecollectError,
    RecollectNotFoundError,
    RecollectPermissionError,
    RecollectRateLimitError,
    RecollectRequestError,
    RecollectServiceError,
    RecollectUnknownOutcomeError,
    WebhookVerificationError,
)
from .paging import Page
from .webhooks import SignedWebhook, VerifiedWebhook, sign_webhook, verify_webhook

__all__ = [
    "Page",
    "Recollect",
    "RecollectAuthenticationError",
    "RecollectConflictError",
    "RecollectConnectionError",
    "RecollectError",
    "RecollectNotFoundError",
    "RecollectPermissionError",
    "RecollectRateLimitError",
    "RecollectRequestError",
    "RecollectServiceError",
    "RecollectUnknownOutcomeError",
    "SignedWebhook",
    "VerifiedWebhook",
    "WebhookVerificationError",
    "__version__",
    "sign_webhook",
    "verify_webhook",
]
