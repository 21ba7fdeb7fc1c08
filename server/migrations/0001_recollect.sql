-- The whole schema. merchant_id comes first in every key of a merchant's data: tenancy by construction, and the
-- distribution column when one primary is outgrown. Constraints stand with their tables. Instants are business time.

-- The API works under this role, which row-level security confines to one merchant. The engine owns the tables.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'recollect_api') THEN
    BEGIN
      CREATE ROLE recollect_api NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database of this server was quicker
    END;
  END IF;
  BEGIN
    SET LOCAL ROLE recollect_api;
    RESET ROLE;
  EXCEPTION WHEN insufficient_privilege THEN -- whoever creates a role may grant it, but not yet take it on
    EXECUTE format('GRANT recollect_api TO %I', current_user);
  END;
END $$;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME;
END $$;

-- merchants -----------------------------------------------------------------------------------------------------

CREATE TABLE merchants (
  merchant_id         text PRIMARY KEY CHECK (merchant_id ~ '^mer_[0-9A-Za-z]{22}$'),
  name                text NOT NULL CHECK (name <> ''),
  legal_name          text NOT NULL,
  email               text NOT NULL,
  website             text NOT NULL,
  address             text NOT NULL,
  terms               text NOT NULL,
  time_zone           text NOT NULL DEFAULT 'Europe/London',
  return_url          text,
  reuse_consent       boolean NOT NULL DEFAULT false,
  settlement_account  text NOT NULL, -- sealed {sort_code, account_number, name}
  created_at          timestamptz NOT NULL
);

CREATE TABLE api_keys (
  merchant_id   text NOT NULL REFERENCES merchants,
  key_id        text NOT NULL,
  name          text NOT NULL,
  secret_hash   bytea NOT NULL,
  hint          text NOT NULL, -- the last four characters, to tell keys apart
  created_at    timestamptz NOT NULL,
  expires_at    timestamptz,
  revoked_at    timestamptz,
  last_used_at  timestamptz,
  PRIMARY KEY (merchant_id, key_id),
  UNIQUE (merchant_id, secret_hash)
);

-- customers -----------------------------------------------------------------------------------------------------

CREATE TABLE customers (
  merchant_id         text NOT NULL REFERENCES merchants,
  customer_id         text NOT NULL,
  phone               text, -- sealed
  phone_index         bytea,
  bank_account        text, -- sealed {sort_code, account_number}
  bank_account_index  bytea,
  created_at          timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, customer_id),
  UNIQUE (merchant_id, phone_index),
  UNIQUE (merchant_id, bank_account_index),
  CHECK (phone IS NOT NULL OR bank_account IS NOT NULL)
);

-- wallets: what the e-money issuer keeps, and our double-entry ledger ----------------------------------------------

CREATE TABLE wallets (
  merchant_id       text NOT NULL REFERENCES merchants,
  wallet_id         text NOT NULL,
  customer_id       text, -- null: the merchant's own wallet
  status            text NOT NULL CHECK (status IN ('planned', 'reserved', 'open', 'closing', 'closed')),
  issuer_wallet_id  text,
  account           text, -- sealed {sort_code, account_number, name}, once reserved
  due_at            timestamptz, -- when a release at the issuer is to be tried
  created_at        timestamptz NOT NULL,
  opened_at         timestamptz,
  closed_at         timestamptz,
  PRIMARY KEY (merchant_id, wallet_id),
  FOREIGN KEY (merchant_id, customer_id) REFERENCES customers (merchant_id, customer_id),
  CHECK (status IN ('planned', 'closing', 'closed') OR issuer_wallet_id IS NOT NULL)
);
CREATE UNIQUE INDEX wallets_one_per_customer ON wallets (merchant_id, coalesce(customer_id, ''))
  WHERE status IN ('planned', 'reserved', 'open');
CREATE INDEX wallets_of_merchant ON wallets (merchant_id) WHERE customer_id IS NULL;
CREATE INDEX wallets_due ON wallets (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE accounts (
  merchant_id    text NOT NULL REFERENCES merchants,
  account_id     text NOT NULL, -- the wallet's id, or the name of one of the merchant's other accounts
  kind           text NOT NULL CHECK (kind IN ('customer_wallet', 'merchant_wallet', 'in_settlement', 'outside')),
  balance_pence  bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, account_id),
  CHECK (balance_pence >= 0 OR kind = 'outside')
);

CREATE TABLE transfers (
  merchant_id        text NOT NULL,
  transfer_id        text NOT NULL,
  kind               text NOT NULL CHECK (kind IN ('pay_in', 'move', 'settle', 'settle_back', 'pay_out', 'extra_pay_in')),
  debit_account_id   text NOT NULL,
  credit_account_id  text NOT NULL,
  amount_pence       bigint NOT NULL CHECK (amount_pence > 0),
  source_id          text NOT NULL, -- the payment, settlement attempt or pay-in that this records: once each
  at                 timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, transfer_id),
  UNIQUE (merchant_id, source_id, kind),
  FOREIGN KEY (merchant_id, debit_account_id) REFERENCES accounts (merchant_id, account_id),
  FOREIGN KEY (merchant_id, credit_account_id) REFERENCES accounts (merchant_id, account_id),
  CHECK (debit_account_id <> credit_account_id)
);
CREATE TRIGGER transfers_are_final BEFORE UPDATE OR DELETE ON transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- schedules -----------------------------------------------------------------------------------------------------

CREATE TABLE schedules (
  merchant_id        text NOT NULL REFERENCES merchants,
  schedule_id        text NOT NULL,
  customer_id        text NOT NULL,
  customer_type      text NOT NULL CHECK (customer_type IN ('phone', 'bank_account', 'user_id')),
  status             text NOT NULL CHECK (status IN ('pending_consent', 'active', 'paused', 'cancelled')),
  description        text NOT NULL,
  metadata           jsonb,
  max_retries        int NOT NULL CHECK (max_retries BETWEEN 0 AND 10),
  terms_version      int NOT NULL, -- what the merchant asked for last
  live_version       int,          -- what collections follow; null before the first consent
  consented_version  int,          -- what the customer agreed to
  consent_id         text,         -- the consent that collections use
  next_occurrence    int,          -- of the live terms' series
  due_at             timestamptz,  -- that occurrence's moment; null when nothing is to be collected
  check_at           timestamptz,  -- when the bank is asked whether the consent still stands
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, schedule_id),
  FOREIGN KEY (merchant_id, customer_id) REFERENCES customers (merchant_id, customer_id),
  CHECK (due_at IS NULL OR (status = 'active' AND live_version IS NOT NULL AND consent_id IS NOT NULL))
);
CREATE INDEX schedules_of_customer ON schedules (merchant_id, customer_id, created_at DESC, schedule_id DESC);
CREATE INDEX schedules_newest ON schedules (merchant_id, created_at DESC, schedule_id DESC);
CREATE INDEX schedules_of_consent ON schedules (merchant_id, consent_id) WHERE consent_id IS NOT NULL;
CREATE INDEX schedules_due ON schedules (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX schedules_check ON schedules (check_at) WHERE check_at IS NOT NULL;

CREATE TABLE schedule_terms (
  merchant_id         text NOT NULL,
  schedule_id         text NOT NULL,
  version             int NOT NULL,
  amount_pence        bigint NOT NULL CHECK (amount_pence > 0),
  currency            text NOT NULL,
  frequency_type      text NOT NULL CHECK (frequency_type IN ('daily', 'weekly', 'monthly', 'quarterly', 'yearly')),
  frequency_day       int,
  frequency_interval  int NOT NULL CHECK (frequency_interval > 0),
  start_date          timestamptz,          -- as asked for; it goes back with a declined update
  first_at            timestamptz NOT NULL, -- occurrence 0 of the series
  time_of_day         time NOT NULL,        -- as asked for: first_at itself may stand in an hour the clocks left out
  time_zone           text NOT NULL,
  end_at              timestamptz,
  created_at          timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, schedule_id, version),
  FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules (merchant_id, schedule_id)
);
CREATE TRIGGER schedule_terms_are_final BEFORE UPDATE OR DELETE ON schedule_terms
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- consents ------------------------------------------------------------------------------------------------------

CREATE TABLE consents (
  merchant_id         text NOT NULL,
  consent_id          text NOT NULL,
  schedule_id         text NOT NULL,
  customer_id         text NOT NULL,
  terms_version       int NOT NULL,
  status              text NOT NULL CHECK (status IN
    ('pending', 'authorising', 'authorised', 'granted', 'denied', 'expired', 'rejected', 'revoked', 'replaced', 'dropped')),
  link_hash           bytea NOT NULL,
  link                text NOT NULL, -- sealed
  link_expires_at     timestamptz NOT NULL,
  wallet_id           text,
  bank_id             text,
  bank_consent_id     text,
  initiation          text,          -- repeated with every payment, byte for byte
  control_parameters  jsonb,
  state_hash          bytea,         -- of the OAuth state that the bank hands back
  nonce               text,          -- sealed
  bank_grant          text,          -- sealed tokens
  due_at              timestamptz,   -- pending, authorising: the link's end; authorised: the next try to activate
  created_at          timestamptz NOT NULL,
  granted_at          timestamptz,
  ended_at            timestamptz,
  PRIMARY KEY (merchant_id, consent_id),
  UNIQUE (merchant_id, link_hash),
  UNIQUE (merchant_id, state_hash),
  FOREIGN KEY (merchant_id, schedule_id, terms_version) REFERENCES schedule_terms (merchant_id, schedule_id, version),
  FOREIGN KEY (merchant_id, wallet_id) REFERENCES wallets (merchant_id, wallet_id),
  CHECK (status <> 'granted' OR (bank_consent_id IS NOT NULL AND bank_grant IS NOT NULL AND control_parameters IS NOT NULL))
);
CREATE UNIQUE INDEX consents_one_open_per_schedule ON consents (merchant_id, schedule_id)
  WHERE status IN ('pending', 'authorising', 'authorised');
CREATE UNIQUE INDEX consents_one_granted_per_schedule ON consents (merchant_id, schedule_id) WHERE status = 'granted';
CREATE INDEX consents_of_schedule ON consents (merchant_id, schedule_id);
CREATE INDEX consents_of_wallet ON consents (merchant_id, wallet_id) WHERE wallet_id IS NOT NULL;
CREATE INDEX consents_open_due ON consents (due_at) WHERE status IN ('pending', 'authorising') AND due_at IS NOT NULL;
CREATE INDEX consents_authorised_due ON consents (due_at) WHERE status = 'authorised' AND due_at IS NOT NULL;
CREATE INDEX consents_of_bank ON consents (bank_consent_id) WHERE bank_consent_id IS NOT NULL;

-- Bank consents to be deleted at the bank; each call is repeated until it succeeds.
CREATE TABLE bank_revocations (
  merchant_id      text NOT NULL,
  bank_id          text NOT NULL,
  bank_consent_id  text NOT NULL,
  attempts         int NOT NULL DEFAULT 0,
  due_at           timestamptz, -- null: done
  created_at       timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, bank_id, bank_consent_id)
);
CREATE INDEX bank_revocations_due ON bank_revocations (due_at) WHERE due_at IS NOT NULL;

-- payments ------------------------------------------------------------------------------------------------------

CREATE TABLE settlements (
  merchant_id         text NOT NULL REFERENCES merchants,
  settlement_id       text NOT NULL,
  settle_date         date NOT NULL,
  amount_pence        bigint NOT NULL CHECK (amount_pence > 0),
  currency            text NOT NULL,
  status              text NOT NULL CHECK (status IN ('pending', 'processing', 'success', 'failed')),
  stage               text CHECK (stage IN ('pay', 'track', 'carry')), -- carry: failed, to go with the next day's
  due_at              timestamptz,
  attempts            int NOT NULL DEFAULT 0,
  polls               int NOT NULL DEFAULT 0,
  destination         text NOT NULL, -- sealed {sort_code, account_number, name}
  issuer_movement_id  text,
  error_code          text,
  error_message       text,
  created_at          timestamptz NOT NULL,
  completed_at        timestamptz,
  failed_at           timestamptz,
  PRIMARY KEY (merchant_id, settlement_id),
  UNIQUE (merchant_id, settle_date)
);
CREATE INDEX settlements_newest ON settlements (merchant_id, created_at DESC, settlement_id DESC);
CREATE INDEX settlements_due ON settlements (stage, due_at) WHERE stage IS NOT NULL;

CREATE TABLE payments (
  merchant_id      text NOT NULL,
  payment_id       text NOT NULL,
  schedule_id      text NOT NULL,
  customer_id      text NOT NULL,
  consent_id       text NOT NULL,
  wallet_id        text NOT NULL,
  bank_id          text NOT NULL,
  amount_pence     bigint NOT NULL CHECK (amount_pence > 0),
  currency         text NOT NULL,
  due_date         timestamptz NOT NULL,
  status           text NOT NULL CHECK (status IN ('pending', 'processing', 'success', 'failed')),
  stage            text CHECK (stage IN ('submit', 'track', 'move')),
  due_at           timestamptz,
  attempts         int NOT NULL DEFAULT 0, -- the number of the running or last attempt
  manual           boolean NOT NULL DEFAULT false, -- the running or next attempt was asked for by hand
  polls            int NOT NULL DEFAULT 0, -- calls made for the running attempt in this stage
  next_retry_at    timestamptz,
  bank_payment_id  text,                   -- of the running or last attempt
  error_code       text,
  error_message    text,
  created_at       timestamptz NOT NULL,
  completed_at     timestamptz,
  failed_at        timestamptz,
  settle_at        timestamptz,            -- when the money is paid out; set with success
  settlement_id    text,
  PRIMARY KEY (merchant_id, payment_id),
  UNIQUE (merchant_id, schedule_id, due_date), -- one payment per occurrence, ever
  FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules (merchant_id, schedule_id),
  FOREIGN KEY (merchant_id, settlement_id) REFERENCES settlements (merchant_id, settlement_id)
    DEFERRABLE INITIALLY DEFERRED, -- a settlement is the sum of its payments: they are gathered first
  CHECK ((status = 'success') = (completed_at IS NOT NULL)),
  CHECK ((status = 'failed') = (failed_at IS NOT NULL)),
  CHECK ((stage IS NULL) = (due_at IS NULL)),
  CHECK ((stage IS NULL) = (status IN ('success', 'failed'))),
  CHECK (settle_at IS NULL OR status = 'success')
);
CREATE INDEX payments_newest ON payments (merchant_id, created_at DESC, payment_id DESC);
CREATE INDEX payments_submit ON payments (due_at) WHERE stage = 'submit';
CREATE INDEX payments_track ON payments (due_at) WHERE stage = 'track';
CREATE INDEX payments_move ON payments (due_at) WHERE stage = 'move';
CREATE INDEX payments_to_settle ON payments (settle_at) WHERE status = 'success' AND settlement_id IS NULL;
CREATE INDEX payments_to_settle_of_merchant ON payments (merchant_id, settle_at)
  WHERE status = 'success' AND settlement_id IS NULL;
CREATE INDEX payments_of_settlement ON payments (merchant_id, settlement_id) WHERE settlement_id IS NOT NULL;

CREATE TABLE attempts (
  merchant_id      text NOT NULL,
  payment_id       text NOT NULL,
  number           int NOT NULL,
  manual           boolean NOT NULL,
  status           text NOT NULL CHECK (status IN ('started', 'processing', 'success', 'failed')),
  bank_payment_id  text,
  bank_status      text,
  error_code       text,
  error_message    text,
  sent_at          timestamptz, -- from here on the bank may have it: only a payment's own status ends it
  pay_in_id        text, -- the issuer's pay-in that brought its money: told twice it is one, and another one is extra money
  started_at       timestamptz NOT NULL,
  finished_at      timestamptz,
  PRIMARY KEY (merchant_id, payment_id, number),
  FOREIGN KEY (merchant_id, payment_id) REFERENCES payments (merchant_id, payment_id)
);
CREATE INDEX attempts_at_bank ON attempts (bank_payment_id) WHERE status = 'processing';

-- Payments that a failed settlement held before they went on to a later one.
CREATE TABLE carried_payments (
  merchant_id    text NOT NULL,
  settlement_id  text NOT NULL,
  payment_id     text NOT NULL,
  PRIMARY KEY (merchant_id, settlement_id, payment_id),
  FOREIGN KEY (merchant_id, settlement_id) REFERENCES settlements (merchant_id, settlement_id),
  FOREIGN KEY (merchant_id, payment_id) REFERENCES payments (merchant_id, payment_id)
);

-- What a settlement is made of: the one answer for the API, the CSV and the laws of money.
CREATE VIEW settlement_payments WITH (security_invoker = true) AS
  SELECT merchant_id, settlement_id, payment_id FROM payments WHERE settlement_id IS NOT NULL
  UNION ALL
  SELECT merchant_id, settlement_id, payment_id FROM carried_payments;

-- events and their deliveries -------------------------------------------------------------------------------------

CREATE TABLE events (
  merchant_id  text NOT NULL REFERENCES merchants,
  event_id     text NOT NULL,
  kind         text NOT NULL,
  schedule_id  text,
  sequence     int,  -- of the schedule's events, from 1
  subject_id   text NOT NULL,
  body         text NOT NULL, -- exactly the bytes that are signed and sent; sealed where they hold account numbers
  created_at   timestamptz NOT NULL,
  routed       boolean NOT NULL DEFAULT false,
  PRIMARY KEY (merchant_id, event_id),
  UNIQUE (merchant_id, schedule_id, sequence)
);
CREATE INDEX events_newest ON events (merchant_id, created_at DESC, event_id DESC);
CREATE INDEX events_to_route ON events (created_at, event_id) WHERE NOT routed;

CREATE TABLE event_sequences (
  merchant_id  text NOT NULL,
  schedule_id  text NOT NULL,
  last         int NOT NULL,
  PRIMARY KEY (merchant_id, schedule_id)
) WITH (fillfactor = 50);

CREATE TABLE webhook_endpoints (
  merchant_id     text NOT NULL REFERENCES merchants,
  endpoint_id     text NOT NULL,
  url             text NOT NULL,
  description     text NOT NULL DEFAULT '',
  event_kinds     text[] NOT NULL,
  status          text NOT NULL CHECK (status IN ('enabled', 'disabled', 'deleted')),
  secret          text NOT NULL, -- sealed: what signs
  next_secret     text,          -- sealed: signs from activation, or 24 hours after it was made
  next_secret_at  timestamptz,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, endpoint_id),
  CHECK ((next_secret IS NULL) = (next_secret_at IS NULL))
);

CREATE TABLE deliveries (
  merchant_id  text NOT NULL,
  delivery_id  text NOT NULL,
  event_id     text NOT NULL,
  endpoint_id  text NOT NULL,
  status       text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'held')), -- held: the endpoint was disabled
  attempts     int NOT NULL DEFAULT 0,
  failures     int NOT NULL DEFAULT 0, -- since it was last set off: the rung of the retry ladder
  due_at       timestamptz,
  created_at   timestamptz NOT NULL,
  finished_at  timestamptz,
  PRIMARY KEY (merchant_id, delivery_id),
  UNIQUE (merchant_id, event_id, endpoint_id),
  FOREIGN KEY (merchant_id, event_id) REFERENCES events (merchant_id, event_id),
  FOREIGN KEY (merchant_id, endpoint_id) REFERENCES webhook_endpoints (merchant_id, endpoint_id),
  CHECK ((status = 'pending') = (due_at IS NOT NULL))
);
CREATE INDEX deliveries_due ON deliveries (merchant_id, endpoint_id, due_at, event_id) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_next ON deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_undelivered ON deliveries (merchant_id, event_id) WHERE status <> 'delivered';

CREATE TABLE delivery_attempts (
  merchant_id      text NOT NULL,
  delivery_id      text NOT NULL,
  number           int NOT NULL,
  manual           boolean NOT NULL,
  response_status  int,
  response_body    text, -- the first 4 KB
  error            text, -- why the answer did not count; null: delivered
  duration_ms      int NOT NULL,
  at               timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, delivery_id, number),
  FOREIGN KEY (merchant_id, delivery_id) REFERENCES deliveries (merchant_id, delivery_id)
);
CREATE INDEX delivery_attempts_at ON delivery_attempts (merchant_id, at);

-- the audit trail, the inbox, requests -----------------------------------------------------------------------------

CREATE TABLE state_changes (
  merchant_id  text NOT NULL,
  change_id    bigint GENERATED ALWAYS AS IDENTITY,
  object_id    text NOT NULL,
  schedule_id  text,
  from_state   text,
  to_state     text NOT NULL,
  reason       text NOT NULL,
  at           timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, change_id)
);
CREATE INDEX state_changes_of_schedule ON state_changes (merchant_id, schedule_id, change_id);
CREATE TRIGGER state_changes_are_final BEFORE UPDATE OR DELETE ON state_changes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Notifications of banks and of the e-money issuer: stored under their own id first, acted on later.
CREATE TABLE inbox (
  source           text NOT NULL, -- issuer, or bank:<bank_id>
  notification_id  text NOT NULL,
  body             text NOT NULL,
  received_at      timestamptz NOT NULL,
  attempts         int NOT NULL DEFAULT 0,
  due_at           timestamptz, -- null: done
  PRIMARY KEY (source, notification_id)
);
CREATE INDEX inbox_due ON inbox (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX inbox_done ON inbox (received_at) WHERE due_at IS NULL;

CREATE TABLE idempotency_keys (
  merchant_id      text NOT NULL REFERENCES merchants,
  key              text NOT NULL,
  request_hash     bytea NOT NULL,
  response_status  int NOT NULL,
  response_body    text NOT NULL,
  created_at       timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

CREATE TABLE sandbox_clock (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  offset_ms  bigint NOT NULL,
  held_at    timestamptz -- while an advance is under way
);

-- Row-level security: the second lock behind the merchant_id in every statement of the API.
DO $$
DECLARE t text;
BEGIN
  FOR t IN SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname = 'merchant_id' AND NOT a.attisdropped
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format(
      'CREATE POLICY one_merchant ON %I TO recollect_api USING (merchant_id = current_setting(''recollect.merchant_id''))', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO recollect_api', t);
  END LOOP;
  GRANT DELETE ON idempotency_keys TO recollect_api;
  GRANT SELECT ON settlement_payments TO recollect_api;
END $$;
