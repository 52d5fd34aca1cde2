"""Why a request is not accepted as genuine."""

from typing import Literal

WebhookFault = Literal[
    "missing_header",  # X-Core-Timestamp or X-Core-Signature is absent
    "duplicate_header",  # a header that must not be repeated came more than once
    "bad_timestamp",  # X-Core-Timestamp is not a whole number of seconds
    "bad_signature",  # it belongs to another body, timestamp or secret
    "timestamp_too_old",  # genuine, but signed more than 300 s ago: a replay, or a wrong clock
    "timestamp_in_future",  # genuine, but signed more than 300 s ahead of this machine's clock
    "bad_body",  # genuine, but not the JSON of an event
    "header_mismatch",  # X-Core-Event or X-Core-Delivery differs from the signed body
]


class WebhookVerificationError(Exception):
    """The request must not be acted upon. Answer 401; the message names headers, never values."""

    reason: WebhookFault

    def __init__(self, reason: WebhookFault, message: str) -> None:
        super().__init__(message)
        self.reason = reason
