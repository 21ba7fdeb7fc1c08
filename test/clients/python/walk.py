"""
What a stranger does with the client after its README, whose code stands in readme.py beside this
file: creates once with one key, lists by the iterator, meets a refusal, and receives what the
service really sends.
"""

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from readme import client, receive, schedule

from recollect import RecollectConflictError, RecollectRequestError

terms = {
    "amount": {"value": 1250, "currency": "GBP"},
    "frequency": {"type": "weekly"},
    "customer": {"type": "user_id", "value": schedule["customer"]["id"]},
    "description": "Second",
}
one = client.schedules.create(terms, idempotency_key="once")
again = client.schedules.create(terms, idempotency_key="once")
try:
    client.schedules.create({**terms, "description": "Third"}, idempotency_key="once")
    conflict = None
except RecollectConflictError as error:
    conflict = error.code
try:
    client.schedules.create({**terms, "amount": {"value": 0, "currency": "GBP"}})
    refusal = None
except RecollectRequestError as error:
    refusal = [error.status, error.code, list(error.details), error.doc_url]

received = []


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        status = receive(body, self.headers)
        received.append([status, json.loads(body)["event"]])
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


with HTTPServer(("127.0.0.1", 0), Receiver) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    endpoint = client.webhook_endpoints.create({"url": url})
    os.environ["RECOLLECT_WEBHOOK_SECRET"] = endpoint["secret"]
    client.sandbox.consent(one["id"], {"decision": "grant", "account": "alex"})
    client.sandbox.advance({"by": "P3W"})
    server.shutdown()

summed = client.payments.list(limit=2, sum=True)
print(
    json.dumps(
        {
            "isOnce": one["id"] == again["id"],
            "conflict": conflict,
            "refusal": refusal,
            "received": received,
            "total": summed.total,
            "sum": summed.total_amount,
            "listed": [payment["id"] for payment in summed],
            "status": client.schedules.get(one["id"])["status"],
        }
    )
)
