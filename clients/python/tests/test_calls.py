import signal
import socket
import threading
import time
import types
import unittest
from email.utils import formatdate

import recollect
from recollect import Recollect
from recollect.errors import CallFailure, RecollectConflictError, RecollectServiceError
from recollect.retries import wait_before_next
from reported import hides
from scripted_service import NEVER, RESET, SLOW, ScriptedService, Stopwatch, answer, refusal

KEY = "rk_test_secret"
FINE = answer(body={"id": "pay_1"})
UNAVAILABLE = refusal(503, "service_unavailable", retry_after="0")
TOO_MANY = refusal(429, "rate_limit_exceeded", retry_after="0")
BUSY = refusal(409, "request_in_progress", retry_after="0")
PAGE_OF_PROXY = answer(200, text="<html>Please log in</html>")
SILENT = (TOO_MANY, BUSY, refusal(401, "unauthorized"), refusal(403, "forbidden"))


def free_port():
    """Returns a port at which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def client_of(service, **options):
    return Recollect(KEY, service.url, **options)


class Calls(unittest.TestCase):
    def test_429_5xx_resets_and_the_pages_of_proxies_are_tried_again_under_the_same_key(self):
        gateway = answer(502, text="bad gateway")
        for trouble in (TOO_MANY, UNAVAILABLE, gateway, PAGE_OF_PROXY, RESET):
            with self.subTest(trouble), ScriptedService(trouble, trouble, FINE) as service:
                self.assertEqual(client_of(service).payments.retry("pay_1"), {"id": "pay_1"})
                self.assertEqual(len(service.arrived), 3)
                self.assertEqual(len(service.keys()), 1)
                self.assertRegex(service.keys().pop(), r"^[0-9a-f-]{36}$")

    def test_each_call_has_a_key_of_its_own_unless_it_is_given_one(self):
        with ScriptedService(FINE) as service:
            client = client_of(service)
            client.payments.retry("pay_1")
            client.payments.retry("pay_1")
            client.payments.retry("pay_1", idempotency_key="mine")
            self.assertEqual(len(service.keys()), 3)
            self.assertIn("mine", service.keys())

    def test_other_refusals_are_not_tried_again_and_say_what_the_service_said(self):
        classes = {
            400: recollect.RecollectRequestError,
            401: recollect.RecollectAuthenticationError,
            403: recollect.RecollectPermissionError,
            404: recollect.RecollectNotFoundError,
            409: recollect.RecollectConflictError,
        }
        for status, of_status in classes.items():
            body = {
                "error": {"code": "a_code", "message": "No.", "details": {"amount.value": "bad"}}
            }
            with self.subTest(status), ScriptedService(answer(status, body)) as service:
                with self.assertRaises(of_status) as raised:
                    client_of(service).payments.retry("pay_1", idempotency_key="k")
                error = raised.exception
                self.assertIsInstance(error, recollect.RecollectError)
                self.assertEqual(len(service.arrived), 1)
                self.assertEqual((str(error), error.code, error.status), ("No.", "a_code", status))
                self.assertEqual(error.details, {"amount.value": "bad"})
                self.assertEqual((error.request_id, error.idempotency_key), ("req_1", "k"))
                self.assertEqual(error.doc_url, f"{service.url}/docs/errors/a_code")

    def test_request_in_progress_is_waited_for_only_after_an_unclear_try(self):
        with ScriptedService(RESET, BUSY, FINE) as service:
            self.assertEqual(client_of(service).payments.retry("pay_1")["id"], "pay_1")
            self.assertEqual(len(service.arrived), 3)
        with ScriptedService(BUSY) as service:
            with self.assertRaises(recollect.RecollectConflictError):
                client_of(service).payments.retry("pay_1")
            self.assertEqual(len(service.arrived), 1)

    def test_a_request_at_work_elsewhere_under_the_same_key_is_no_refusal(self):
        body = {
            "error": {
                "code": "request_in_progress",
                "message": "Wait.",
                "details": {"Idempotency-Key": "is being worked on"},
            }
        }
        with ScriptedService(answer(409, body)) as service:
            with self.assertRaises(recollect.RecollectUnknownOutcomeError) as raised:
                client_of(service).payments.retry("pay_1", idempotency_key="order-42")
            self.assertEqual(raised.exception.idempotency_key, "order-42")
            self.assertIn("Another request with this key may take effect", str(raised.exception))
            self.assertEqual(len(service.arrived), 1)

    def test_an_unknown_outcome_is_never_a_refusal(self):
        late = refusal(503, "service_unavailable", retry_after="61")
        for trouble in (
            late,
            UNAVAILABLE,
            PAGE_OF_PROXY,
            answer(302, text="", location="/login"),
            refusal(302, "found", location="/login"),
            RESET,
        ):
            with self.subTest(trouble), ScriptedService(trouble) as service:
                with self.assertRaises(recollect.RecollectUnknownOutcomeError) as raised:
                    client_of(service, max_retries=1).payments.retry("pay_1")
                self.assertNotIsInstance(raised.exception, recollect.RecollectError)
                self.assertEqual({raised.exception.idempotency_key}, service.keys())

    def test_a_refusal_that_says_nothing_of_an_unclear_try_leaves_the_outcome_unknown(self):
        for last in SILENT:
            with self.subTest(last), ScriptedService(RESET, last) as service:
                with self.assertRaises(recollect.RecollectUnknownOutcomeError) as raised:
                    client_of(service, max_retries=1).payments.retry("pay_1")
                self.assertIsInstance(raised.exception.__cause__, recollect.RecollectError)
        with ScriptedService(RESET, refusal(404, "not_found")) as service:
            with self.assertRaises(recollect.RecollectNotFoundError):
                client_of(service).payments.retry("pay_1")
        with ScriptedService(RESET, TOO_MANY) as service:
            with self.assertRaises(recollect.RecollectRateLimitError):
                client_of(service, max_retries=1).payments.get("pay_1")

    def test_a_number_of_seconds_in_retry_after_is_waited_for(self):
        with ScriptedService(refusal(429, "rate_limit_exceeded", retry_after="1"), FINE) as service:
            with Stopwatch() as watch:
                client_of(service).merchant.get()
            self.assertGreaterEqual(watch.seconds, 0.99)

    def test_a_date_in_retry_after_is_waited_for(self):
        at = int(time.time()) + 2
        late = refusal(503, "service_unavailable", retry_after=formatdate(at, usegmt=True))
        with ScriptedService(late, FINE) as service:
            client_of(service).merchant.get()
            self.assertGreaterEqual(time.time(), at)

    def test_a_retry_after_of_more_than_a_minute_is_left_to_the_caller(self):
        far = formatdate(time.time() + 120, usegmt=True)
        for retry_after in ("61", far):
            late = refusal(429, "rate_limit_exceeded", retry_after=retry_after)
            with self.subTest(retry_after), ScriptedService(late) as service:
                with self.assertRaises(recollect.RecollectRateLimitError) as raised:
                    client_of(service).merchant.get()
                self.assertEqual(len(service.arrived), 1)
                self.assertTrue(60 < (raised.exception.retry_after or 0) <= 120)

    def test_the_wait_grows_and_has_jitter(self):
        error = RecollectServiceError("down", status=503)
        for tried, most in ((1, 0.25), (2, 0.5), (3, 1.0), (10, 8.0)):
            waits = [wait_before_next(error, tried, False) or 0 for _ in range(50)]
            self.assertTrue(all(most / 2 <= wait <= most for wait in waits))
            self.assertGreater(len(set(waits)), 1)
        self.assertIsNone(wait_before_next(RecollectConflictError("no", status=409), 1, True))

    def test_an_answer_that_does_not_come_ends_after_the_timeout(self):
        with ScriptedService(NEVER) as service:
            with (
                Stopwatch() as watch,
                self.assertRaises(recollect.RecollectConnectionError) as raised,
            ):
                client_of(service, timeout=0.3, max_retries=1).payments.retry("pay_1")
            self.assertRegex(
                str(raised.exception), r"^No answer to POST .*/retry: none within 0.3 s$"
            )
            self.assertEqual(len(service.arrived), 2)
            self.assertLess(watch.seconds, 10)

    def test_the_clock_of_the_sandbox_has_time(self):
        with ScriptedService(SLOW) as service:
            client = client_of(service, timeout=0.3)
            self.assertEqual(client.sandbox.advance({"by": "P1D"}), {"slow": True})

    def test_an_answer_that_breaks_off_counts_as_none(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def break_off():
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"id":')

        thread = threading.Thread(target=break_off)
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with self.assertRaises(recollect.RecollectConnectionError):
            Recollect(KEY, url, max_retries=0).merchant.get()
        thread.join()

    def test_a_redirect_is_not_followed(self):
        with ScriptedService(FINE) as other:
            moved = answer(307, text="", location=f"{other.url}/api/v1/merchant")
            with ScriptedService(moved) as service:
                with self.assertRaises(recollect.RecollectConnectionError) as raised:
                    client_of(service, max_retries=0).merchant.get()
            self.assertRegex(
                str(raised.exception), r"HTTP status 307 to http:.* Is base_url right\?$"
            )
            self.assertEqual(other.arrived, [])

    def test_what_takes_no_key_is_repeated_only_where_it_had_no_effect(self):
        with ScriptedService(UNAVAILABLE) as service:
            with self.assertRaises(RecollectServiceError):
                client_of(service).sandbox.advance({"by": "P1D"})
            self.assertEqual(len(service.arrived), 1)
        with ScriptedService(TOO_MANY, FINE) as service:
            client_of(service).sandbox.advance({"by": "P1D"})
            self.assertEqual(service.keys(), {None})

    def test_with_options_leaves_the_client_as_it_is(self):
        with ScriptedService(UNAVAILABLE) as service:
            client = client_of(service)
            with self.assertRaises(RecollectServiceError):
                client.with_options(max_retries=0).merchant.get()
            self.assertEqual(len(service.arrived), 1)
            with self.assertRaises(RecollectServiceError):
                client.merchant.get()
            self.assertEqual(len(service.arrived), 4)

    def test_a_call_is_sent_as_the_service_takes_it(self):
        with ScriptedService(FINE) as service:
            client = Recollect(KEY, f"{service.url}/base/", app_info="tea-shop/2.1")
            client.events.replay({"endpoint_id": "end_1", "from": "a", "to": "☕"})
            method, path, headers, body = service.arrived[0]
            self.assertEqual((method, path), ("POST", "/base/api/v1/events/replay"))
            self.assertEqual(body.decode(), '{"endpoint_id": "end_1", "from": "a", "to": "☕"}')
            self.assertEqual(headers["authorization"], f"Bearer {KEY}")
            self.assertEqual(headers["content-type"], "application/json")
            version = recollect.__version__
            self.assertRegex(
                headers["user-agent"], rf"^recollect-python/{version} python/3\S+ tea-shop/2\.1$"
            )
            client.payments.list(status="failed", sum=True, from_="2026-01-01T00:00:00+01:00")
            query = "sum=true&status=failed&from=2026-01-01T00%3A00%3A00%2B01%3A00"
            self.assertEqual(service.arrived[1][1], f"/base/api/v1/payments?{query}")
            client.schedules.restore_upcoming("a/b", "2026-01-01T00:00:00Z")
            self.assertRegex(
                service.arrived[2][1], "/schedules/a%2Fb/upcoming/2026-01-01T00%3A00%3A00Z$"
            )
            self.assertEqual(client.request("PUT", "/api/v2/new", body={"a": 1}), {"id": "pay_1"})

    def test_the_key_stands_in_no_representation_and_no_message(self):
        with ScriptedService(refusal(401, "unauthorized")) as service:
            client = client_of(service)
        texts = [repr(client), repr(client.merchant), repr(client._transport._settings)]
        for wrong in (f"{KEY}\n", f"{KEY} ", ""):
            with self.assertRaises(ValueError) as refused:
                Recollect(wrong, "http://localhost")
            texts.append(str(refused.exception))
        for text in texts:
            self.assertNotIn(KEY, text)

    def test_no_failed_call_shows_the_key_to_what_reports_errors_with_variables(self):
        broken = answer(text='{"id":', content_length="100")
        moved = answer(307, text="", location="/login")
        down = refusal(500, "internal_error", retry_after="0")
        for last in (RESET, NEVER, broken, moved, down, PAGE_OF_PROXY, *SILENT):
            for replies in ((last,), (RESET, last)):
                with self.subTest(replies), ScriptedService(*replies) as service:
                    client = client_of(service, timeout=0.3, max_retries=len(replies) - 1)
                    hides(self, KEY, CallFailure, lambda: client.payments.retry("pay_1"))
        client = Recollect(KEY, f"http://127.0.0.1:{free_port()}", max_retries=1)
        error = hides(self, KEY, CallFailure, lambda: client.payments.retry("pay_1"))
        self.assertIn("refused", str(error))
        self.assertIsNone(error.__cause__ or error.__context__)

    def test_an_interrupted_call_does_not_show_the_key(self):
        class Interrupted(Exception):
            """What a time limit of a task queue raises from its signal handler."""

        def interrupt(_, frame):
            # As in the moment in which urllib handles an error of its own.
            while frame.f_code.co_name != "do_open":
                frame = frame.f_back
            trace = types.TracebackType(None, frame, frame.f_lasti, frame.f_lineno)
            error = Interrupted()
            error.__cause__ = error.__context__ = OSError().with_traceback(trace)
            raise error

        previous = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, previous)
        with ScriptedService(NEVER) as service:
            client = client_of(service)
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            hides(self, KEY, Interrupted, lambda: client.payments.retry("pay_1"))
            self.assertEqual(len(service.arrived), 1)

    def test_no_refused_argument_shows_the_key(self):
        client = Recollect(KEY, "http://localhost")
        for call in (
            lambda: Recollect(f"{KEY} ", "http://localhost"),
            lambda: Recollect(KEY, "localhost"),
            lambda: Recollect(KEY, "http://localhost", timeout="x"),
            lambda: client.with_options(timeout=0),
            lambda: client.payments.get(""),
            lambda: client.payments.retry("pay_1", idempotency_key="a\nb"),
            lambda: client.request("POST", "/", body={"a": object()}),
        ):
            hides(self, KEY, (ValueError, TypeError), call)

    def test_what_is_no_argument_is_refused_and_named(self):
        for wrong in ("localhost:4000", "ftp://a", "http://user:pass@a", "https://a?b", ""):
            with self.subTest(wrong), self.assertRaisesRegex(ValueError, "base_url"):
                Recollect(KEY, wrong)
        with self.assertRaisesRegex(ValueError, "timeout"):
            Recollect(KEY, "http://a", timeout=0)
        with self.assertRaisesRegex(ValueError, "max_retries"):
            Recollect(KEY, "http://a", max_retries=-1)
        client = Recollect(KEY, "http://a")
        for wrong in ("", ".", ".."):
            with self.assertRaisesRegex(ValueError, "not an id"):
                client.payments.get(wrong)
        for wrong in ("api/v1/merchant", ".evil.example/", "", "/a b", "/ä"):
            with self.assertRaisesRegex(ValueError, "path"):
                client.request("GET", wrong)
        with self.assertRaisesRegex(ValueError, "method"):
            client.request("PATCH", "/api/v1/merchant")
        with self.assertRaisesRegex(ValueError, "idempotency_key"):
            client.payments.retry("pay_1", idempotency_key="a\nb")


class Lists(unittest.TestCase):
    def test_a_list_is_a_page_and_iterated_every_item_by_cursor(self):
        pages = (
            answer(body={"data": [{"id": "1"}], "total": 3, "next_cursor": "c1"}),
            answer(body={"data": [{"id": "2"}], "next_cursor": "c2"}),
            answer(body={"data": [{"id": "3"}]}),
        )
        with ScriptedService(*pages) as service:
            page = client_of(service).payments.list(status="failed", offset=0, sum=True)
            self.assertEqual((page.data, page.total, page.next_cursor), ([{"id": "1"}], 3, "c1"))
            self.assertEqual(len(service.arrived), 1)
            self.assertEqual([one["id"] for one in page], ["1", "2", "3"])
            paths = [path.split("?")[1] for _, path, _, _ in service.arrived]
        self.assertEqual(paths[0], "offset=0&sum=true&status=failed")
        self.assertEqual(paths[1], "limit=100&after=c1&status=failed")
        self.assertEqual(paths[2], "limit=100&after=c2&status=failed")

    def test_iteration_fetches_no_page_that_is_not_asked_for(self):
        body = {"data": [{"id": "1"}, {"id": "2"}], "next_cursor": "c1"}
        with ScriptedService(answer(body=body)) as service:
            for _ in client_of(service).wallets.list(limit=2):
                break
            self.assertEqual(len(service.arrived), 1)


if __name__ == "__main__":
    unittest.main()
