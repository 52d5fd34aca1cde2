"""Checks the webhook requests that Attune sends, and returns their events."""

from ._errors import WebhookFault, WebhookVerificationError
from ._events import (
    ItemFailed,
    ItemProcessed,
    Moderation,
    StepStates,
    WebhookEvent,
    WebhookItem,
    WebhookSummary,
    WebhookTest,
)
from ._headers import WebhookHeaders
from ._verify import verify_webhook

__all__ = [
    "ItemFailed",
    "ItemProcessed",
    "Moderation",
    "StepStates",
    "WebhookEvent",
    "WebhookFault",
    "WebhookHeaders",
    "WebhookItem",
    "WebhookSummary",
    "WebhookTest",
    "WebhookVerificationError",
    "verify_webhook",
]
