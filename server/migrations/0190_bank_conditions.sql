-- Safe beside the previous version: it knows nothing of these.
-- How a bank answers, by operation, from the calls of every process: docs/rules/payments.md#the-condition-of-a-bank. Instants
-- are business time.
CREATE TABLE bank_conditions (
  bank_id text NOT NULL,
  operation text NOT NULL,
  condition text NOT NULL,
  since timestamptz NOT NULL,
  recent text NOT NULL, -- the latest calls, the newest last: `.` was answered, `x` was not
  answered_at timestamptz,
  failed_at timestamptz,
  failing_since timestamptz, -- null: the last call was answered
  CONSTRAINT bank_conditions_pkey PRIMARY KEY (bank_id, operation),
  CONSTRAINT bank_conditions_known_operation CHECK (operation IN ('consent', 'token', 'funds', 'payment', 'read')),
  CONSTRAINT bank_conditions_known_condition CHECK (condition IN ('operational', 'degraded', 'down')),
  CONSTRAINT bank_conditions_known_calls CHECK (recent ~ '^[.x]+$')
);
-- Merchants and customers see how a bank is, and that it is stopped, but not who stopped it and why.
GRANT SELECT ON bank_conditions TO recollect_api;
GRANT SELECT (bank_id, since, ended_at) ON bank_stops TO recollect_api;
