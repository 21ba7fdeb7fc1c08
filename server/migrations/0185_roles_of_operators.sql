-- Safe beside the previous version: it writes none of the new columns, and reads none of the new tables.
-- What an operator may do: docs/rules/access.md#operators. Those who are there may do everything, as before; one that the
-- previous version makes beside this one reads.
ALTER TABLE operators ADD COLUMN roles text[] NOT NULL DEFAULT ARRAY['auditor', 'support', 'payments', 'security'];
ALTER TABLE operators ALTER COLUMN roles SET DEFAULT ARRAY['auditor'];

-- A key ends 90 days at most after it was made; null: made by the previous version, for as long. allowed_ips: null is anywhere.
ALTER TABLE operator_keys ADD COLUMN expires_at timestamptz;
ALTER TABLE operator_keys ADD COLUMN allowed_ips text[];

-- The console's sessions, in real time. Each is deleted when it ends; the browser has the secret, the table its hash.
CREATE TABLE operator_sessions (
  secret_hash bytea NOT NULL,
  operator_id text NOT NULL,
  -- The key that opened it, or the link to an account at the identity provider: it ends with them.
  key_id text,
  linked_at timestamptz,
  begun_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT operator_sessions_pkey PRIMARY KEY (secret_hash),
  CONSTRAINT operator_sessions_one_way_in CHECK (num_nulls(key_id, linked_at) = 1),
  CONSTRAINT operator_sessions_of_operator FOREIGN KEY (operator_id) REFERENCES operators (operator_id),
  CONSTRAINT operator_sessions_opened_with FOREIGN KEY (operator_id, key_id) REFERENCES operator_keys (operator_id, key_id)
);
CREATE INDEX operator_sessions_of_operator ON operator_sessions (operator_id);
CREATE INDEX operator_sessions_by_expiry ON operator_sessions (expires_at);

-- What an operator asked for and a second one has to agree with: docs/rules/access.md#two-operators. Instants are business time.
CREATE TABLE operator_requests (
  request_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  -- Whom or what it is about: an operator, a user, a merchant; of a new operator, the name.
  subject text NOT NULL,
  -- What is asked for, sealed: it names people and their addresses.
  wish text NOT NULL,
  reason text NOT NULL,
  asked_by text NOT NULL,
  asked_name text NOT NULL,
  asked_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  status text NOT NULL,
  ended_by text,
  ended_at timestamptz,
  end_reason text,
  CONSTRAINT operator_requests_pkey PRIMARY KEY (request_id),
  CONSTRAINT operator_requests_known_status CHECK (status IN ('pending', 'agreed', 'taken_back', 'expired')),
  CONSTRAINT operator_requests_ended_unless_pending CHECK ((status = 'pending') = (ended_at IS NULL)),
  CONSTRAINT operator_requests_whole_end CHECK (num_nulls(ended_at, ended_by, end_reason) IN (0, 3))
);
CREATE UNIQUE INDEX operator_requests_pending ON operator_requests (kind, subject) WHERE status = 'pending';
CREATE INDEX operator_requests_due ON operator_requests (expires_at) WHERE status = 'pending';

-- What operators are told of, by email; without a reader it is for the log, which a process with an engine writes. Sealed.
CREATE TABLE operator_notices (
  notice_id text COLLATE "C" NOT NULL,
  content text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Null: sent, given up, or kept where no mail server is configured.
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  error text,
  CONSTRAINT operator_notices_pkey PRIMARY KEY (notice_id),
  CONSTRAINT operator_notices_attempts_not_below_zero CHECK (attempts >= 0)
);
CREATE INDEX operator_notices_due ON operator_notices (due_at) WHERE due_at IS NOT NULL;
