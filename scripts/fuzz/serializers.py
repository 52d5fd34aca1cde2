"""Files that the cabinet takes, for Schemathesis, which knows JSON, forms and XML: any text will do."""

import schemathesis


@schemathesis.serializer("application/x-ndjson", "application/jsonl", "text/csv")
def text(ctx, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
