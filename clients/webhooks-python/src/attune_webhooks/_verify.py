"""Checks requests."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import re
import time
from collections.abc import Sequence
from typing import Any, Optional, Union, cast

from ._errors import WebhookVerificationError
from ._events import WebhookEvent
from ._headers import WebhookHeaders, header_of, pairs_of

_TOLERANCE_SECONDS = 300
# Up to 12 digits: as seconds that is the year 33,658. Not \d, which takes every script's digits.
_TIMESTAMP = re.compile(r"[0-9]{1,12}")
_SECRET = re.compile(r"whsec_[\x21-\x7e]+")


def verify_webhook(
    body: Union[bytes, bytearray, memoryview],
    headers: WebhookHeaders,
    secret: Union[str, Sequence[str]],
    *,
    now: Optional[float] = None,
    tolerance_seconds: float = _TOLERANCE_SECONDS,
) -> WebhookEvent:
    """Checks that a request comes from Attune and is unchanged and recent, and returns its event.

    The signature is checked before the age, so that only genuine requests are reported as old.
    Attune's documentation limits the age. A timestamp ahead of our clock is limited in the same way;
    otherwise a sender's wrong clock would produce a request that can be replayed for a long time.

    :param body: the raw bytes as they arrived, before any parser
    :param headers: names in any case; see :data:`WebhookHeaders`
    :param secret: ``whsec_…``, or several: the new and the previous one during a rotation, or those of
        several webhooks with one address
    :param now: Unix seconds to judge the age by; the machine's clock unless given
    :raises WebhookVerificationError: the request is not to be trusted; ``reason`` says why
    :raises TypeError: the body is not bytes
    :raises ValueError: the secret is malformed, or ``tolerance_seconds`` or ``now`` is not a usable number
    """
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError("the body must be the raw bytes, not text and not parsed JSON")
    raw = bytes(body)
    secrets = _require_secrets(secret)
    pairs = pairs_of(headers)
    timestamp = _require_header(pairs, "x-core-timestamp")
    signature = _require_header(pairs, "x-core-signature")
    seconds = _parse_timestamp(timestamp)
    if not _is_signed_by_any(secrets, timestamp, raw, signature):
        raise WebhookVerificationError("bad_signature", "x-core-signature does not match")
    _judge_age(seconds, time.time() if now is None else now, tolerance_seconds)
    event = _parse_event(raw)
    _require_same(pairs, "x-core-event", event["event"])
    _require_same(pairs, "x-core-delivery", event["delivery_id"])
    return event


def _require_secrets(secret: Union[str, Sequence[str]]) -> Sequence[str]:
    """A missing setting must not look like a forged request."""
    secrets = [secret] if isinstance(secret, str) else list(secret or [])
    if not secrets or not all(isinstance(each, str) and _SECRET.fullmatch(each) for each in secrets):
        raise ValueError("the secret must be the whole text that begins with whsec_, without spaces or line ends")
    return secrets


def _require_header(pairs: list[tuple[Any, Any]], name: str) -> str:
    value = header_of(pairs, name)
    if not value:
        raise WebhookVerificationError("missing_header", f"{name} is missing")
    return value


def _parse_timestamp(text: str) -> int:
    if not _TIMESTAMP.fullmatch(text):
        raise WebhookVerificationError("bad_timestamp", "x-core-timestamp is not a number of seconds")
    return int(text)


def _is_signed_by_any(secrets: Sequence[str], timestamp: str, body: bytes, signature: str) -> bool:
    """All secrets are tried, each in constant time, so that the duration reveals nothing."""
    signed = timestamp.encode("ascii") + b"." + body
    given = signature.encode("ascii", "backslashreplace")  # compare_digest accepts no text beyond ASCII
    expected = [b"sha256=" + hmac.new(each.encode("ascii"), signed, hashlib.sha256).hexdigest().encode("ascii") for each in secrets]
    return any([hmac.compare_digest(given, each) for each in expected])


def _judge_age(seconds: int, now: float, tolerance_seconds: float) -> None:
    """In whole seconds, as the timestamp is."""
    if not (math.isfinite(now) and math.isfinite(tolerance_seconds) and tolerance_seconds >= 0):
        raise ValueError("now must be a time, tolerance_seconds a number of seconds that is not negative")  # nothing is too old for NaN
    age = int(now) - seconds
    if age > tolerance_seconds:
        raise WebhookVerificationError("timestamp_too_old", "the request was signed too long ago")
    if -age > tolerance_seconds:
        raise WebhookVerificationError("timestamp_in_future", "the request was signed in the future")


def _parse_event(body: bytes) -> WebhookEvent:
    """Returns the event. Only the fields that every event has are checked, because later versions may add others."""
    try:
        event: Any = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        raise WebhookVerificationError("bad_body", "the body is not JSON in UTF-8") from None
    if not _is_event(event):
        raise WebhookVerificationError("bad_body", "the body is not an event")
    return cast(WebhookEvent, event)


def _is_event(event: Any) -> bool:
    if not isinstance(event, dict) or not isinstance(event.get("item"), dict):
        return False
    texts = [event.get(key) for key in ("event", "project_id", "sent_at", "delivery_id")]
    texts += [event["item"].get(key) for key in ("id", "status")]
    return all(isinstance(text, str) for text in texts)


def _require_same(pairs: list[tuple[Any, Any]], name: str, signed: str) -> None:
    """These headers are not signed, so they are compared with the body, which is."""
    value = header_of(pairs, name)
    if value is not None and value != signed:
        raise WebhookVerificationError("header_mismatch", f"{name} differs from the body")
