"""Extensions of Schemathesis: body formats besides JSON, forms and XML, and the site's key."""

import json
import os
from datetime import datetime, timezone

import schemathesis


# Files for the cabinet: any text is accepted.
@schemathesis.serializer("application/x-ndjson", "application/jsonl", "text/csv")
def text(ctx, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


# Beacons send JSON with another content type.
@schemathesis.serializer("text/plain")
def beacon(ctx, value):
    return value if isinstance(value, bytes) else json.dumps(value).encode("utf-8")


# The key of /collect is in the body: with an invented key every request would get a 401. Hardly any event would have a
# page's address and a current time, without which it is not stored, so half of the events get each.
@schemathesis.hook
def before_load_schema(context, raw_schema):
    key = os.environ.get("ATTUNE_FUZZ_TAG_KEY")
    if not key or "/collect" not in raw_schema.get("paths", {}):
        return
    schemas = raw_schema["components"]["schemas"]
    request, event = (schemas[name]["properties"] for name in ("CollectRequest", "CollectEvent"))
    request["key"] = {"type": "string", "const": key}
    now = {"type": "string", "const": datetime.now(timezone.utc).isoformat()}
    request["sent_at"] = {"anyOf": [now, request["sent_at"]]}
    event["at"] = {"anyOf": [now, event["at"]]}
    event["url"] = {"anyOf": [{"type": "string", "pattern": "^https://[a-z]{1,8}\\.example/[a-z?=&]{0,20}$"}, event["url"]]}
