"""Reads the single value of a header from whatever a framework calls headers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union

from ._errors import WebhookVerificationError

# Not `X | Y`, which Python 3.9 cannot evaluate.
WebhookHeaders = Union[Mapping[str, Any], Iterable[tuple[Any, Any]]]
"""The headers of a request, names in any case: a mapping (Flask, Django, Starlette, ``http.server``,
aiohttp), a WSGI environ, or pairs of text or bytes (the ``headers`` of an ASGI scope)."""


def pairs_of(headers: WebhookHeaders) -> list[tuple[Any, Any]]:
    """Returns all headers, read once: an iterator cannot be read again."""
    return list(headers.items() if isinstance(headers, Mapping) or hasattr(headers, "items") else headers)


def header_of(pairs: list[tuple[Any, Any]], name: str) -> Optional[str]:
    """Returns the single value of a header, None when it is absent.

    :param name: in lower case
    :raises WebhookVerificationError: ``duplicate_header`` when there are several, because a
        proxy could read a different one
    """
    found = [value for key, value in pairs if _canonical(key) == name and value is not None]
    values = [each for value in found for each in (value if isinstance(value, (list, tuple)) else [value])]
    if len(values) > 1:
        raise WebhookVerificationError("duplicate_header", f"{name} came more than once")
    return _text(values[0]) if values else None


def _canonical(key: Any) -> str:
    """``X-Core-Event`` and WSGI's ``HTTP_X_CORE_EVENT`` are one name."""
    name = _text(key)
    if name.startswith("HTTP_"):
        name = name[len("HTTP_") :]
    return name.lower().replace("_", "-")


def _text(value: Any) -> str:
    # WSGI and ASGI decode HTTP headers as latin-1, in which every byte has a character.
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
