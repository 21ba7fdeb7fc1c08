"""A real HTTP server that answers as it is told."""

import json
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

RESET = "reset"
NEVER = "never"
SLOW = "slow"


def refusal(status, code, **headers):
    """Returns an error as the service answers it."""
    return answer(status, {"error": {"code": code, "message": f"It is {code}."}}, **headers)


def answer(status=200, body=None, text=None, **headers):
    """Returns a reply: JSON, or a text such as the page of a proxy."""
    kind = "application/json" if text is None else "text/html"
    sent = {
        "content-type": kind,
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    return status, sent, (json.dumps(body) if text is None else text).encode()


class ScriptedService:
    """
    Answers with the replies in turn, and repeats the last one. RESET takes the request and resets
    the connection; NEVER leaves it without an answer, and SLOW takes a second.
    """

    def __init__(self, *replies):
        self.replies = list(replies)
        self.arrived = []
        self.over = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def reply(self):
                length = int(self.headers.get("content-length", 0))
                service.arrived.append(
                    (self.command, self.path, self.headers, self.rfile.read(length))
                )
                one = service.replies[min(len(service.arrived), len(service.replies)) - 1]
                if one == NEVER:
                    service.over.wait(30)
                elif one == SLOW:
                    service.over.wait(1)
                    self.send(*answer(body={"slow": True}))
                elif one == RESET:
                    linger = struct.pack("ii", 1, 0)
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    self.connection.close()
                    self.close_connection = True
                    self.wfile = self.rfile = _Gone()
                else:
                    self.send(*one)

            def send(self, status, headers, body):
                self.send_response(status)
                for name, value in {"x-request-id": "req_1", **headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_DELETE = reply

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def keys(self):
        """Returns the idempotency keys that arrived, each once."""
        return {headers["idempotency-key"] for _, _, headers, _ in self.arrived}


class _Gone:
    """In place of the streams of a connection that was reset."""

    closed = True

    def flush(self):
        pass

    def close(self):
        pass


class Stopwatch:
    """Measures how long a block takes, in seconds."""

    def __enter__(self):
        self.began = time.monotonic()
        return self

    def __exit__(self, *_):
        self.seconds = time.monotonic() - self.began
