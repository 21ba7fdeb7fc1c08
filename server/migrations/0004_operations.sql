-- What people look at while the service runs: requests, the state of the laws of money, lists of payments that stay fast
-- however long they grow.

-- Payments by due day, the newest first: of the merchant, and the few that need a look. A list of them never sorts.
CREATE INDEX payments_by_due_date ON payments (merchant_id, due_date DESC, payment_id DESC);
CREATE INDEX payments_failed ON payments (merchant_id, due_date DESC, payment_id DESC) WHERE status = 'failed';
CREATE INDEX payments_under_way ON payments (merchant_id, due_date DESC, payment_id DESC)
  WHERE status IN ('pending', 'processing');
CREATE INDEX payments_to_retry ON payments (merchant_id, next_retry_at) WHERE next_retry_at IS NOT NULL;
CREATE INDEX attempts_by_bank_payment ON attempts (merchant_id, bank_payment_id) WHERE bank_payment_id IS NOT NULL;
CREATE INDEX schedules_due_of_merchant ON schedules (merchant_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX schedules_updated ON schedules (merchant_id, updated_at);

-- What merchants asked of the API, their secrets taken out; kept for 7 days. `at` is real time. Merchants are not
-- referenced: a log is written without looking anything up.
CREATE TABLE request_log (
  merchant_id      text NOT NULL,
  request_id       text NOT NULL, -- ours; X-Request-Id too, unless the caller sent one
  sent_id          text,          -- the X-Request-Id that the caller sent: it may come more than once
  at               timestamptz NOT NULL,
  method           text NOT NULL,
  path             text NOT NULL,
  status           int NOT NULL,
  duration_ms      int NOT NULL,
  error_code       text,
  caller_type      text NOT NULL CHECK (caller_type IN ('api_key', 'user')),
  caller_id        text NOT NULL,
  idempotency_key  text,
  user_agent       text,
  request_body     text, -- JSON, redacted; the first 8 KB
  response_body    text, -- the same; not of reads that worked
  PRIMARY KEY (merchant_id, request_id)
);
CREATE INDEX request_log_newest ON request_log (merchant_id, at DESC, request_id DESC);
CREATE INDEX request_log_errors ON request_log (merchant_id, at DESC, request_id DESC) WHERE status >= 400;
CREATE INDEX request_log_age ON request_log (at);
ALTER TABLE request_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON request_log TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON request_log TO recollect_api;

-- What the last look at the books found, for everybody: the laws are the service's, not a merchant's.
CREATE TABLE law_findings (
  law         text PRIMARY KEY,
  sentence    text NOT NULL,
  holds       boolean, -- null: it could not be told
  checked_at  timestamptz NOT NULL
);
GRANT SELECT ON law_findings TO recollect_api;

-- Lives of the sandbox: a reset begins a new one, and only then may its clock go back.
ALTER TABLE sandbox_clock ADD COLUMN life int NOT NULL DEFAULT 1;
