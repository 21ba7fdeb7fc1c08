import base64
import hashlib
import hmac
import json
import unittest

from recollect import WebhookVerificationError, sign_webhook, verify_webhook
from reported import hides

SECRET = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
NEXT_SECRET = "whsec_CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg="
T = 1_700_000_000
DATA = {"payment_id": "pay_1", "note": "Tea & ☕"}
SIGNED = sign_webhook("collection.success", DATA, SECRET, id="evt_1", sequence=3, now=T)
NAMES = ("x-service-signature", "webhook-id", "webhook-timestamp", "webhook-signature")


def service_header(body, seconds, secret=SECRET):
    return f"t={seconds},v1={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


def key_bytes(secret):
    return base64.b64decode(secret[len("whsec_") :])


class Webhooks(unittest.TestCase):
    def verify(
        self, payload=SIGNED.payload, headers=SIGNED.headers, secret=SECRET, now=T, **options
    ):
        return verify_webhook(payload, headers, secret, now=now, **options)

    def refused(self, reason, **changed):
        with self.assertRaises(WebhookVerificationError) as raised:
            self.verify(**changed)
        self.assertEqual(raised.exception.reason, reason)

    def test_what_is_signed_is_what_the_service_would_send(self):
        self.assertEqual(json.loads(SIGNED.payload), {"event": "collection.success", "data": DATA})
        self.assertEqual(SIGNED.headers["x-service-signature"], service_header(SIGNED.payload, T))
        self.assertNotIn(b" :", SIGNED.payload)
        self.assertIn("☕".encode(), SIGNED.payload)

    def test_a_webhook_gives_its_event_its_id_and_its_sequence(self):
        webhook = self.verify()
        self.assertEqual((webhook.id, webhook.sequence), ("evt_1", 3))
        self.assertEqual((webhook.event, webhook.data), ("collection.success", DATA))
        headers = {name: value for name, value in SIGNED.headers.items() if "sequence" not in name}
        self.assertIsNone(self.verify(headers=headers).sequence)

    def test_headers_may_have_any_case_and_lists(self):
        self.verify(headers={name.title(): [value] for name, value in SIGNED.headers.items()})

    def test_only_the_raw_bytes_are_taken(self):
        for payload in (SIGNED.payload.decode(), json.loads(SIGNED.payload), None):
            with self.assertRaisesRegex(TypeError, "raw body"):
                self.verify(payload=payload)

    def test_a_timestamp_is_good_for_300_seconds_and_not_one_more(self):
        for now in (T + 300, T - 300):
            self.verify(now=now)
        self.refused("timestamp_too_old", now=T + 301)
        self.refused("timestamp_in_future", now=T - 301)
        self.refused("timestamp_in_future", now=T - 301, require_standard=False)
        self.refused("timestamp_too_old", now=T + 11, tolerance_seconds=10)

    def test_each_of_the_two_timestamps_is_checked(self):
        old = sign_webhook("collection.success", DATA, SECRET, id="evt_1", now=T - 301).headers
        service = {"x-service-signature": old["x-service-signature"]}
        self.refused("timestamp_too_old", headers={**SIGNED.headers, **service})
        standard = {name: old[name] for name in NAMES[1:]}
        self.refused("timestamp_too_old", headers={**SIGNED.headers, **standard})

    def test_whatever_is_changed_on_the_way_is_noticed(self):
        self.refused("signature_mismatch", payload=SIGNED.payload + b" ")
        for index in range(len(SIGNED.payload)):
            changed = bytearray(SIGNED.payload)
            changed[index] ^= 1
            self.refused("signature_mismatch", payload=bytes(changed))
        self.refused("signature_mismatch", secret=NEXT_SECRET)
        other = sign_webhook("collection.success", DATA, NEXT_SECRET, id="evt_1", now=T).headers
        for name, value in (
            ("webhook-id", "evt_2"),
            ("webhook-id", "evt_\udcff"),
            ("webhook-timestamp", str(T + 1)),
            ("webhook-signature", other["webhook-signature"]),
            ("x-service-signature", other["x-service-signature"]),
        ):
            self.refused("signature_mismatch", headers={**SIGNED.headers, name: value})

    def test_an_old_webhook_cannot_be_sent_again_with_a_fresh_timestamp(self):
        later = T + 86_400
        fresh = service_header(SIGNED.payload, later)
        again = {**SIGNED.headers, "x-service-signature": fresh, "webhook-timestamp": str(later)}
        self.refused("signature_mismatch", headers=again, now=later)
        bare = {"x-service-signature": fresh}
        self.refused("missing_header", headers=bare, now=later)
        webhook = self.verify(headers=bare, now=later, require_standard=False)
        self.assertIsNone(webhook.id)

    def test_each_of_the_four_headers_is_there_once_and_well_formed(self):
        digits = SIGNED.headers["x-service-signature"][-64:]
        for name in NAMES:
            without = {key: value for key, value in SIGNED.headers.items() if key != name}
            self.refused("missing_header", headers=without)
            twice = {**SIGNED.headers, name: [SIGNED.headers[name]] * 2}
            self.refused("malformed_header", headers=twice)
        for header in (
            "",
            f"t={T}",
            f"t={T},v1={digits.upper()}",
            f"t=-1,v1={digits}",
            f"t={T},v1={digits}\n",
        ):
            headers = {**SIGNED.headers, "x-service-signature": header}
            self.refused("malformed_header", headers=headers)
        self.refused("malformed_header", headers={**SIGNED.headers, "webhook-timestamp": "1e9"})
        for signatures in ("", "v1", "v1,", "v1,?", "v2,AAAA", "v1,AAAA"):
            headers = {**SIGNED.headers, "webhook-signature": signatures}
            self.refused("signature_mismatch", headers=headers)

    def test_while_a_secret_is_rotated_a_receiver_that_knows_both_never_misses_one(self):
        rotated = sign_webhook("collection.success", DATA, NEXT_SECRET, id="evt_1", now=T).headers
        signatures = f"{rotated['webhook-signature']} {SIGNED.headers['webhook-signature']}"
        for headers in (
            SIGNED.headers,
            {**SIGNED.headers, "webhook-signature": signatures},
            rotated,
        ):
            self.verify(headers=headers, secret=[SECRET, NEXT_SECRET])
        self.verify(headers={**SIGNED.headers, "webhook-signature": f"v2,abc {signatures}"})
        self.refused("signature_mismatch", headers=rotated)

    def test_a_body_that_is_no_event_is_refused_however_well_it_is_signed(self):
        for payload in (
            b"",
            b"null",
            b"[]",
            b"{}",
            b'{"event":1,"data":{}}',
            b'{"event":"x"}',
            b"\xff",
        ):
            headers = {"x-service-signature": service_header(payload, T)}
            self.refused(
                "invalid_payload", payload=payload, headers=headers, require_standard=False
            )

    def test_a_call_that_could_not_protect_anybody_is_refused(self):
        for secret in ("", "whsec_", "hunter2", "whsec_?", [], [SECRET, ""], None):
            with self.subTest(secret), self.assertRaisesRegex(ValueError, "secret"):
                self.verify(secret=secret)
        with self.assertRaises(ValueError):
            self.verify(tolerance_seconds=float("nan"))
        with self.assertRaisesRegex(ValueError, "secret"):
            sign_webhook("endpoint.test", {}, "secret")

    def test_no_refusal_shows_the_secret_to_what_reports_errors_with_variables(self):
        body, headers = SIGNED.payload, SIGNED.headers
        rotated = sign_webhook("collection.success", DATA, NEXT_SECRET, now=T).headers
        no_event = b"[]"
        signature = {"x-service-signature": service_header(no_event, T)}
        errors = (WebhookVerificationError, ValueError, TypeError)
        for shown in (SECRET, repr(key_bytes(SECRET))[2:-1]):
            for call in (
                lambda: verify_webhook(body, {}, SECRET, now=T),
                lambda: verify_webhook(body, headers, [SECRET], now=T + 301),
                lambda: verify_webhook(body, rotated, SECRET, now=T),
                lambda: verify_webhook(body, {**headers, "webhook-id": "2"}, SECRET, now=T),
                lambda: verify_webhook(no_event, signature, SECRET, now=T, require_standard=False),
                lambda: verify_webhook("text", headers, SECRET),
                lambda: verify_webhook(body, headers, SECRET, now=float("nan")),
                lambda: verify_webhook(body, headers, [SECRET, ""]),
                lambda: verify_webhook(body, headers, SECRET.encode()),
                lambda: verify_webhook(body, {"x-service-signature": [1]}, SECRET),
                lambda: sign_webhook("a", {"b": object()}, SECRET),
                lambda: sign_webhook("a", {}, f"{SECRET}?"),
                lambda: sign_webhook("a", {}, SECRET, now="x"),
            ):
                hides(self, shown, errors, call)


if __name__ == "__main__":
    unittest.main()
