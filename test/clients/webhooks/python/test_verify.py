"""The recorded requests, checked by the Python package. Run by python.test.ts."""

import base64
import json
import unittest
from email.message import Message
from pathlib import Path

from attune_webhooks import WebhookVerificationError, verify_webhook

RECORDING = json.loads((Path(__file__).parent.parent / "requests.json").read_text("utf-8"))
SECRET = RECORDING["secret"]
OTHER_SECRET = "whsec_" + "Q" * 40
DELIVERY_ID = "01a1fdb9-b6d9-7566-a1b3-c800da5e4f5c"


def check(request, headers=None, secret=SECRET, **options):
    body = base64.b64decode(request["body"])
    options.setdefault("now", request["now"])
    return verify_webhook(body, request["headers"] if headers is None else headers, secret, **options)


class Recorded(unittest.TestCase):
    def test_takes_the_good_ones(self):
        self.assertGreaterEqual(len(RECORDING["good"]), 10)
        for request in RECORDING["good"]:
            with self.subTest(request["name"]):
                self.assertEqual(check(request), request["event"])

    def test_refuses_the_bad_ones_with_their_reasons(self):
        self.assertGreaterEqual(len(RECORDING["bad"]), 40)
        for request in RECORDING["bad"]:
            with self.subTest(request["name"]):
                with self.assertRaises(WebhookVerificationError) as caught:
                    check(request)
                self.assertEqual(caught.exception.reason, request["reason"])
                self.assertNotRegex(str(caught.exception), "whsec_|[0-9a-f]{32}")


class Given(unittest.TestCase):
    def setUp(self):
        self.request = RECORDING["good"][0]
        self.pairs = [tuple(pair) for pair in self.request["headers"]]

    def reason(self, *args, **options):
        with self.assertRaises(WebhookVerificationError) as caught:
            check(*args, **options)
        return caught.exception.reason

    def test_headers_as_frameworks_give_them(self):
        message = Message()
        for name, value in self.pairs:
            message[name] = value
        environ = {"HTTP_" + name.upper().replace("-", "_"): value for name, value in self.pairs}
        forms = {
            "dict": dict(self.pairs),
            "dict, lower": {name.lower(): value for name, value in self.pairs},
            "WSGI environ": {**environ, "wsgi.input": object(), "wsgi.version": (1, 0), 7: None},
            "ASGI scope": [(name.lower().encode(), value.encode()) for name, value in self.pairs],
            "http.server": message,
            "iterator": iter(self.pairs),
            "lists of values": {name: [value] for name, value in self.pairs},
        }
        for name, headers in forms.items():
            with self.subTest(name):
                self.assertEqual(check(self.request, headers)["delivery_id"], DELIVERY_ID)

    def test_doubles(self):
        message = Message()
        for name, value in [*self.pairs, ("x-core-timestamp", "1763719200")]:
            message[name] = value
        self.assertEqual(self.reason(self.request, message), "duplicate_header")
        twice = {**dict(self.pairs), "X-Core-Timestamp": ["1763719200", "1763719200"]}
        self.assertEqual(self.reason(self.request, twice), "duplicate_header")
        underscored = {**dict(self.pairs), "X_Core_Signature": "sha256=00"}
        self.assertEqual(self.reason(self.request, underscored), "duplicate_header")

    def test_digits_of_other_scripts(self):
        headers = {**dict(self.pairs), "X-Core-Timestamp": "١٧٦٣٧١٩٢٠٠"}
        self.assertEqual(self.reason(self.request, headers), "bad_timestamp")
        headers = {**dict(self.pairs), "X-Core-Timestamp": "1763719200\n"}
        self.assertEqual(self.reason(self.request, headers), "bad_timestamp")

    def test_signatures_beyond_ascii(self):
        for text in ["sha256=\ud800", "sha256=é", "подпись"]:
            self.assertEqual(self.reason(self.request, {**dict(self.pairs), "X-Core-Signature": text}), "bad_signature")

    def test_several_secrets(self):
        for secrets in ([OTHER_SECRET, SECRET], (SECRET, OTHER_SECRET)):
            self.assertEqual(check(self.request, secret=secrets), self.request["event"])
        self.assertEqual(self.reason(self.request, secret=[OTHER_SECRET]), "bad_signature")

    def test_secrets_that_are_none(self):
        for secret in [None, "", [], SECRET[6:], SECRET + "\n", [SECRET, ""], [None]]:
            with self.subTest(secret=secret), self.assertRaisesRegex(ValueError, "whsec_"):
                check(self.request, secret=secret)

    def test_bodies_that_are_no_bytes(self):
        body = base64.b64decode(self.request["body"])
        for wrong in [body.decode(), json.loads(body), None]:
            with self.subTest(type(wrong)), self.assertRaisesRegex(TypeError, "raw bytes"):
                verify_webhook(wrong, self.pairs, SECRET, now=self.request["now"])
        for right in [bytearray(body), memoryview(body)]:
            self.assertEqual(verify_webhook(right, self.pairs, SECRET, now=self.request["now"]), self.request["event"])

    def test_age(self):
        self.assertEqual(self.reason(self.request, now=None), "timestamp_too_old")
        later = self.request["now"] + 1000
        self.assertEqual(check(self.request, now=later, tolerance_seconds=1000), self.request["event"])
        self.assertEqual(self.reason(self.request, now=later, tolerance_seconds=999), "timestamp_too_old")

    def test_tolerances_that_are_none(self):
        for wrong in [float("nan"), float("inf"), float("-inf"), -1]:
            with self.subTest(wrong), self.assertRaisesRegex(ValueError, "tolerance_seconds"):
                check(self.request, tolerance_seconds=wrong)
        for wrong in [float("nan"), float("inf")]:
            with self.subTest(now=wrong), self.assertRaisesRegex(ValueError, "now must be"):
                check(self.request, now=wrong)
        signed_at = int(dict(self.pairs)["X-Core-Timestamp"])
        self.assertEqual(check(self.request, tolerance_seconds=0, now=signed_at), self.request["event"])


if __name__ == "__main__":
    unittest.main()
