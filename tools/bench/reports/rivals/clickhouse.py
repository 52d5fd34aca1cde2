"""Runs ClickHouse's engine (chdb) on its own folder: reads lines of JSON {sql, read}, and answers each with a line
{ms, text} or {error}."""
import json
import sys
import time

from chdb import session

engine = session.Session(sys.argv[1])
print(json.dumps({"text": str(engine.query("select version()", "TSV")).strip()}), flush=True)
for line in sys.stdin:
    order = json.loads(line)
    begun = time.perf_counter()
    try:
        text = str(engine.query(order["sql"], "JSONCompact"))
        answer = {"ms": (time.perf_counter() - begun) * 1000, "text": text if order["read"] else ""}
    except Exception as error:  # The caller handles any error of the engine.
        answer = {"error": str(error)[:2000]}
    print(json.dumps(answer), flush=True)
