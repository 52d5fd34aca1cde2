"""The events, as the bodies of the requests carry them."""

from __future__ import annotations

from typing import Any, Literal, Optional, TypedDict, Union

StepState = Literal["queued", "running", "done", "skipped", "failed", "deferred", "waiting"]


class StepStates(TypedDict):
    prepare: StepState
    speech: StepState
    vision: StepState
    summary: StepState
    embedding: StepState


class Moderation(TypedDict):
    level: Optional[Literal["none", "low", "medium", "high"]]
    categories: Optional[dict[str, Any]]
    evidence: Optional[list[dict[str, Any]]]


class WebhookSummary(TypedDict):
    summary: str
    topics: list[str]
    tags: list[str]
    age_rating: Optional[Literal["0+", "6+", "12+", "16+", "18+"]]
    moderation: Optional[Moderation]


class _ItemAlways(TypedDict):
    id: str
    """The id that you gave the item; ``webhook-test`` in a test."""
    status: Literal["ready", "partial", "failed"]
    processing: StepStates


class WebhookItem(_ItemAlways, total=False):
    summary: WebhookSummary
    """Absent when there is none. Transcripts and frames are fetched separately:
    ``GET /items/{id}?include=transcript,frames``."""
    moderation: Moderation
    """The moderation, with or without a summary. Absent while there is none."""


class _Envelope(TypedDict):
    project_id: str
    sent_at: str
    """Start of this attempt, ISO-8601 UTC with milliseconds; it differs from attempt to attempt."""
    delivery_id: str
    """The same for all attempts of one event: discard events that you have already seen."""
    item: WebhookItem


class ItemProcessed(_Envelope):
    """The analysis ended and everything was done."""

    event: Literal["item.processed"]


class ItemFailed(_Envelope):
    """The analysis ended, but some or all of it failed."""

    event: Literal["item.failed"]


class WebhookTest(_Envelope):
    """Somebody pressed the test button."""

    event: Literal["webhook.test"]


WebhookEvent = Union[ItemProcessed, ItemFailed, WebhookTest]
"""Distinguish them by ``event``. A later version may send others: answer 2xx to events that you do not know."""
