"""The servers of the README, each run with what is installed. Run by python.test.ts."""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import http.client
import importlib.util
import io
import json
import logging
import os
import re
import sqlite3
import threading
import time
import unittest
from http.server import HTTPServer
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server

HERE = Path(__file__).parent
README = (HERE / "../../../../clients/webhooks-python/README.md").resolve().read_text("utf-8")
RECORDING = json.loads((HERE / "../requests.json").read_text("utf-8"))
SECRET = RECORDING["secret"]
BODY = base64.b64decode(RECORDING["good"][1]["body"])
PATH = "/hooks/attune"


def snippet(title):
    """Returns what the README's block with that title defines."""
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (code,) = [block for block in blocks if block.startswith(f"# {title}")]
    names = {"__name__": f"snippet_{title}"}
    exec(compile(code, f"README: {title}", "exec"), names)
    return names


def signed(body=BODY):
    timestamp = str(int(time.time()))
    digest = hmac.new(SECRET.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return {"Content-Type": "application/json; charset=utf-8", "X-Core-Timestamp": timestamp, "X-Core-Signature": f"sha256={digest}"}


def needs(module):
    return unittest.skipUnless(importlib.util.find_spec(module), f"{module} is not installed")


class Servers(unittest.TestCase):
    def setUp(self):
        os.environ["WEBHOOK_SECRET"] = SECRET
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)

    def assert_checks(self, post):
        """A genuine request is accepted and printed; one with another body is refused and not printed."""
        for body, status, told in [(BODY, 204, "item.processed видео/ё 42\n"), (BODY + b" ", 401, "")]:
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                self.assertEqual(post(body, signed(BODY)), status)
            self.assertEqual(out.getvalue(), told)

    @needs("flask")
    def test_flask(self):
        client = snippet("Flask")["app"].test_client()
        self.assert_checks(lambda body, headers: client.post(PATH, data=body, headers=headers).status_code)
        self.assertEqual(client.post(PATH, data=b"x" * (1024 * 1024 + 1), headers=signed()).status_code, 413)

    @needs("fastapi")
    def test_fastapi(self):
        app = snippet("FastAPI")["app"]

        async def post(body, headers):
            pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
            scope = {"type": "http", "method": "POST", "path": PATH, "raw_path": PATH.encode(), "query_string": b"", "headers": pairs,
                     "scheme": "https", "server": ("a", 443), "client": ("b", 1), "http_version": "1.1", "asgi": {"version": "3.0"}}
            sent = []

            async def receive():
                return {"type": "http.request", "body": body, "more_body": False}

            async def send(message):
                sent.append(message)

            await app(scope, receive, send)
            return sent[0]["status"]

        self.assert_checks(lambda body, headers: asyncio.run(post(body, headers)))

    @needs("django")
    def test_django(self):
        from django.conf import settings
        from django.test import RequestFactory

        settings.configure(ALLOWED_HOSTS=["*"])
        hook = snippet("Django")["hook"]
        factory = RequestFactory()

        def post(body, headers):
            extra = {"HTTP_" + name.upper().replace("-", "_"): value for name, value in headers.items() if name.startswith("X-")}
            return hook(factory.post(PATH, body, content_type="application/json", **extra)).status_code

        self.assert_checks(post)

    def test_wsgi(self):
        class Quiet(WSGIRequestHandler):
            def log_message(self, *args):
                pass

        self.assert_serves(make_server("127.0.0.1", 0, snippet("WSGI")["app"], handler_class=Quiet))

    def test_http_server(self):
        class Quiet(snippet("http.server")["Handler"]):
            def log_message(self, *args):
                pass

        self.assert_serves(HTTPServer(("127.0.0.1", 0), Quiet))

    def assert_serves(self, server):
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()

        def post(body, headers):
            connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
            connection.request("POST", PATH, body, headers)
            with contextlib.closing(connection):
                return connection.getresponse().status

        try:
            self.assert_checks(post)
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


class Repeats(unittest.TestCase):
    def test_are_handled_once_and_again_after_a_failure(self):
        code = re.search(r"# repeats: (create table .*)", README)
        db = sqlite3.connect(":memory:")
        db.execute(code.group(1))
        handle_once = snippet("repeats")["handle_once"]
        event = json.loads(BODY)
        handled = []

        def fail(event, db):
            raise RuntimeError("the work failed")

        with self.assertRaises(RuntimeError):
            handle_once(db, event, fail)
        for _ in range(2):
            handle_once(db, event, lambda event, db: handled.append(event["delivery_id"]))
        self.assertEqual(handled, [event["delivery_id"]])
        db.close()


if __name__ == "__main__":
    unittest.main()
