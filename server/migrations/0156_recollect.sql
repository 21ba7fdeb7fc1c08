-- The whole schema, slice by slice (ARCHITECTURE.md#the-order-of-slices). server/schema.sql is what PostgreSQL makes of it.
-- Replaces the 86 migrations up to 0156_room_for_updates, sha256 279666c24832da94f8140fd373a83707da391c659e87a9ba4d63c5db4c1061ac.
--
-- For every table:
-- `merchant_id` comes first in every key of a merchant's data: tenancy by construction, and the column by which tables are
-- distributed when one primary is outgrown.
-- Instants are business time, which the sandbox's clock moves, unless a comment says real time. "Sealed" is encrypted text.
-- `due_at` is when something is next to be done about a row, and the lease of whoever does it; null: nothing is to be done.
-- `one_merchant` confines the API to its merchant. What the API may do is granted here. `migrate` grants the engine everything
-- afterwards, except where a GRANT to recollect_engine says less.
-- `never_emptied_live`: only the tables of a sandbox are ever emptied, whoever asks for it.
-- Under row-level security only comparisons that leak nothing reach an index: equality and ranges of stored columns.

-- Two roles without a login: the API's, which row-level security confines to one merchant, and the engine's. Neither owns a
-- table: what is written once stays as it is because neither has the right to change it.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['recollect_api', 'recollect_engine'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database of this server was quicker
      END;
    END IF;
    BEGIN
      EXECUTE format('SET LOCAL ROLE %I', name);
      RESET ROLE;
    EXCEPTION WHEN insufficient_privilege THEN -- whoever creates a role may grant it, but not yet take it on
      EXECUTE format('GRANT %I TO %I', name, current_user);
    END;
  END LOOP;
END $$;

-- platform ---------------------------------------------------------------------------------------------------------

GRANT SELECT ON migrations TO recollect_engine;

-- A database belongs to one deployment, and is either a sandbox's or a live service's for as long as it exists.
CREATE TABLE deployment (
  only_row       boolean PRIMARY KEY DEFAULT true,
  deployment_id  text NOT NULL,
  mode           text NOT NULL,
  stamped_at     timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT deployment_one_row CHECK (only_row),
  CONSTRAINT deployment_known_mode CHECK (mode IN ('sandbox', 'live'))
);

-- The keys that this database has been opened with, each known by a value that reveals nothing of it.
CREATE TABLE deployment_keys (
  purpose      text NOT NULL,
  key_id       text NOT NULL, -- empty: the blind index has one key
  check_value  bytea NOT NULL,
  stamped_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (purpose, key_id),
  CONSTRAINT deployment_keys_known_purpose CHECK (purpose IN ('encryption', 'blind_index'))
);

CREATE FUNCTION refuse_to_change_the_stamp() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the stamp of a deployment is never changed';
END $$;
CREATE TRIGGER deployment_never_changes BEFORE UPDATE OR DELETE OR TRUNCATE ON deployment
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_the_stamp();
CREATE TRIGGER deployment_keys_never_change BEFORE UPDATE OR TRUNCATE ON deployment_keys
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_the_stamp();

CREATE FUNCTION refuse_on_a_live_database() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM deployment WHERE mode = 'live') THEN
    RAISE EXCEPTION 'this database is stamped live: % on % is for a sandbox alone', TG_OP, TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;

-- The one way to remove what is written once: all of it, and in a sandbox only.
CREATE FUNCTION empty_tables(names text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM deployment WHERE mode = 'live') THEN
    RAISE EXCEPTION 'this database is stamped live: only the tables of a sandbox can be emptied';
  END IF;
  EXECUTE (SELECT 'TRUNCATE ' || string_agg(quote_ident(name), ', ') FROM unnest(names) AS name);
END $$;
REVOKE EXECUTE ON FUNCTION empty_tables FROM PUBLIC;
GRANT EXECUTE ON FUNCTION empty_tables TO recollect_engine;

-- The audit trail: every change of a state, written once. `actor` comes from a setting of the transaction, which whoever opens
-- it for somebody makes with its BEGIN: member:<id>, api_key:<id>, customer, bank:<id>, issuer, operator:<name>. Without one
-- the service acts.
CREATE TABLE state_changes (
  merchant_id  text NOT NULL,
  change_id    bigint GENERATED ALWAYS AS IDENTITY,
  object_id    text NOT NULL,
  schedule_id  text,
  from_state   text, -- null: it was created
  to_state     text NOT NULL,
  reason       text NOT NULL,
  at           timestamptz NOT NULL,
  actor        text NOT NULL DEFAULT coalesce(nullif(current_setting('recollect.actor', true), ''), 'service'),
  PRIMARY KEY (merchant_id, change_id)
);
CREATE INDEX state_changes_of_schedule ON state_changes (merchant_id, schedule_id, change_id);
-- What people and their API keys changed is listed on its own: the service, the banks and the issuer change far more.
CREATE INDEX state_changes_by_people ON state_changes (merchant_id, change_id)
  WHERE split_part(actor, ':', 1) IN ('member', 'api_key', 'operator', 'customer');
-- What operators changed, whichever merchant's it is; 'service' in place of a merchant: the whole service's.
CREATE INDEX state_changes_by_operators ON state_changes (at, merchant_id, change_id)
  WHERE split_part(actor, ':', 1) = 'operator';
-- Changes of a customer's details, for an erasure and an export.
CREATE INDEX state_changes_of_object ON state_changes (merchant_id, object_id) WHERE schedule_id IS NULL;
ALTER TABLE state_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON state_changes TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON state_changes TO recollect_api;
GRANT SELECT, INSERT ON state_changes TO recollect_engine;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON state_changes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What merchants are told, written once. No key to the merchant: the same transaction has written or locked what the event is
-- of, and the tests run with the keys that the product does without (docs/decisions/0027-keys-in-tests-alone.md).
CREATE TABLE events (
  merchant_id  text NOT NULL,
  event_id     text NOT NULL,
  kind         text NOT NULL,
  schedule_id  text,
  sequence     int, -- of the schedule's events, from 1
  subject_id   text NOT NULL,
  body         text NOT NULL, -- exactly the bytes that are signed and sent; sealed where they contain account numbers
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, event_id),
  CONSTRAINT events_one_per_sequence_number UNIQUE (merchant_id, schedule_id, sequence)
);
CREATE INDEX events_newest ON events (merchant_id, created_at DESC, event_id DESC);
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON events TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON events TO recollect_api;
GRANT SELECT, INSERT ON events TO recollect_engine;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

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
-- The issuer's notices about a customer's wallets, for an erasure (the bodies are ours, written as JSON; one that is none has
-- no entry).
CREATE INDEX inbox_by_wallet ON inbox ("substring"(body, '"externalReference": ?"([^"]*)"')) WHERE source = 'issuer';
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON inbox FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What was answered to a request with an Idempotency-Key, for a day. No key to the merchant: the caller's API key has one, and
-- the check would lock the merchant's row, which concurrent requests share.
CREATE TABLE idempotency_keys (
  merchant_id      text NOT NULL,
  key              text NOT NULL,
  request_hash     bytea NOT NULL,
  response_status  int NOT NULL,
  response_body    text NOT NULL,
  created_at       timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON idempotency_keys TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON idempotency_keys
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What merchants asked of the API, without their secrets; kept for 7 days. `at` is real time. Merchants are not referenced: a
-- log is written without looking anything up.
CREATE TABLE request_log (
  merchant_id      text NOT NULL,
  request_id       text NOT NULL, -- ours; X-Request-Id too, unless the caller sent one
  sent_id          text, -- the X-Request-Id that the caller sent: it may come more than once
  at               timestamptz NOT NULL,
  method           text NOT NULL,
  path             text NOT NULL,
  status           int NOT NULL,
  duration_ms      int NOT NULL,
  error_code       text,
  caller_type      text NOT NULL,
  caller_id        text NOT NULL,
  idempotency_key  text,
  user_agent       text,
  request_body     text, -- JSON, redacted; the first 8 KB
  response_body    text, -- the same; not of reads that worked
  PRIMARY KEY (merchant_id, request_id),
  CONSTRAINT request_log_known_caller_type CHECK (caller_type IN ('api_key', 'user'))
);
CREATE INDEX request_log_newest ON request_log (merchant_id, at DESC, request_id DESC);
CREATE INDEX request_log_errors ON request_log (merchant_id, at DESC, request_id DESC) WHERE status >= 400;
CREATE INDEX request_log_age ON request_log (at);
ALTER TABLE request_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON request_log TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON request_log TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON request_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- merchants --------------------------------------------------------------------------------------------------------

-- `use_case` to `purpose_code` are what the payment scheme wants to know. New consents carry all but the use case, for which
-- the standard has no field; a consent that exists keeps what it was made with.
CREATE TABLE merchants (
  merchant_id         text PRIMARY KEY,
  name                text NOT NULL,
  legal_name          text NOT NULL,
  email               text NOT NULL,
  website             text NOT NULL,
  address             text NOT NULL,
  terms               text NOT NULL,
  time_zone           text NOT NULL DEFAULT 'Europe/London',
  return_url          text,
  reuse_consent       boolean NOT NULL DEFAULT false,
  settlement_account  text NOT NULL, -- sealed {sort_code, account_number, name}
  created_at          timestamptz NOT NULL,
  refunds_wait        boolean NOT NULL DEFAULT false, -- for the next collections, rather than be netted at once
  use_case            text,
  category_code       text,
  payment_context     text NOT NULL DEFAULT 'merchant_initiated',
  purpose_code        text,
  CONSTRAINT merchants_id_well_formed CHECK (merchant_id ~ '^mer_[0-9A-Za-z]{22}$'),
  CONSTRAINT merchants_name_not_empty CHECK (name <> '')
);
ALTER TABLE merchants ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON merchants TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON merchants TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON merchants FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- How a merchant looks to its customers. The logo is a column of a row of its own, which only whoever sends it reads.
CREATE TABLE merchant_looks (
  merchant_id  text PRIMARY KEY,
  colour       text,
  logo         bytea,
  logo_type    text,
  logo_hash    text,
  logo_width   int,
  logo_height  int,
  CONSTRAINT merchant_looks_colour_is_rgb CHECK (colour ~ '^#[0-9a-f]{6}$'),
  CONSTRAINT merchant_looks_known_type CHECK (logo_type IN ('image/png', 'image/jpeg')),
  CONSTRAINT merchant_looks_logo_is_small CHECK (octet_length(logo) <= 102400),
  CONSTRAINT merchant_looks_whole_logo CHECK (num_nulls(logo, logo_type, logo_hash, logo_width, logo_height) IN (0, 5)),
  CONSTRAINT merchant_looks_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
ALTER TABLE merchant_looks ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON merchant_looks TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON merchant_looks TO recollect_api;

-- The settlement account changes on the word of an owner, a day later, or of two operators; every change stays on record.
CREATE TABLE settlement_account_changes (
  merchant_id      text NOT NULL,
  change_id        text NOT NULL,
  status           text NOT NULL,
  old_account      text NOT NULL, -- sealed {sort_code, account_number, name}
  new_account      text NOT NULL, -- the same
  requested_by     text NOT NULL, -- as an actor of the audit trail
  requested_at     timestamptz NOT NULL,
  takes_effect_at  timestamptz NOT NULL,
  due_at           timestamptz, -- when it is to be put into force; null: it has ended
  ended_by         text,
  ended_at         timestamptz,
  agreed_by        text, -- the second operator, as an actor; null: an owner's change
  reason           text, -- why the first operator asked; null: an owner's change
  PRIMARY KEY (merchant_id, change_id),
  CONSTRAINT settlement_account_changes_known_status CHECK (status IN ('pending', 'in_force', 'taken_back')),
  CONSTRAINT settlement_account_changes_due_while_pending CHECK ((status = 'pending') = (due_at IS NOT NULL)),
  CONSTRAINT settlement_account_changes_ended_unless_pending CHECK ((status = 'pending') = (ended_at IS NULL)),
  CONSTRAINT settlement_account_changes_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
CREATE UNIQUE INDEX settlement_account_changes_pending ON settlement_account_changes (merchant_id) WHERE status = 'pending';
CREATE INDEX settlement_account_changes_due ON settlement_account_changes (due_at) WHERE due_at IS NOT NULL;
ALTER TABLE settlement_account_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON settlement_account_changes TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON settlement_account_changes TO recollect_api;

-- The fees that the operator has agreed with a merchant.
CREATE TABLE merchant_fees (
  merchant_id   text NOT NULL,
  from_at       timestamptz NOT NULL, -- in force for what is collected from here on
  fixed_pence   bigint NOT NULL,
  basis_points  int NOT NULL,
  set_by        text NOT NULL,
  set_at        timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, from_at),
  CONSTRAINT merchant_fees_fixed_not_below_zero CHECK (fixed_pence >= 0),
  CONSTRAINT merchant_fees_share_of_payment CHECK (basis_points BETWEEN 0 AND 10000),
  CONSTRAINT merchant_fees_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
ALTER TABLE merchant_fees ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON merchant_fees TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON merchant_fees TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON merchant_fees
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What operators hold, with who, why and since when. `suspended`: no new schedules, no payment orders. `pay_outs`: settlements
-- wait. `sequence` places begin and end among the orders, under the lock of `merchants/holds/hold-store.ts`.
CREATE TABLE merchant_holds (
  merchant_id   text NOT NULL,
  kind          text NOT NULL,
  since         timestamptz NOT NULL,
  given_by      text NOT NULL,
  reason        text NOT NULL,
  sequence      bigint NOT NULL DEFAULT nextval('state_changes_change_id_seq'),
  ended_at      timestamptz,
  ended_by      text,
  end_reason    text,
  end_sequence  bigint,
  PRIMARY KEY (merchant_id, kind, since),
  CONSTRAINT merchant_holds_known_kind CHECK (kind IN ('suspended', 'pay_outs')),
  CONSTRAINT merchant_holds_whole_end CHECK (num_nulls(ended_at, ended_by, end_reason, end_sequence) IN (0, 4)),
  CONSTRAINT merchant_holds_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
CREATE UNIQUE INDEX merchant_holds_open ON merchant_holds (merchant_id, kind) WHERE ended_at IS NULL;
ALTER TABLE merchant_holds ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON merchant_holds TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON merchant_holds TO recollect_api;

-- What an API key may do and from where, and who answers for it.
CREATE TABLE api_keys (
  merchant_id   text NOT NULL,
  key_id        text NOT NULL,
  name          text NOT NULL,
  secret_hash   bytea NOT NULL,
  hint          text NOT NULL, -- the last four characters, to tell keys apart
  created_at    timestamptz NOT NULL,
  expires_at    timestamptz,
  revoked_at    timestamptz,
  last_used_at  timestamptz,
  scopes        text[] NOT NULL,
  made_by       text, -- the member whose membership it ends with; null: the operator made it
  allowed_ips   text[], -- ranges of addresses; null: anywhere
  refused_at    timestamptz, -- the last use from elsewhere
  refused_from  text,
  PRIMARY KEY (merchant_id, key_id),
  CONSTRAINT api_keys_one_per_secret UNIQUE (merchant_id, secret_hash),
  CONSTRAINT api_keys_known_scopes CHECK (scopes <@ '{schedules,payments,settlements,customers,webhooks,merchant,keys}'
    AND scopes <> '{}'),
  CONSTRAINT api_keys_some_allowed_ips CHECK (cardinality(allowed_ips) BETWEEN 1 AND 50),
  CONSTRAINT api_keys_whole_refusal CHECK (num_nulls(refused_at, refused_from) IN (0, 2)),
  CONSTRAINT api_keys_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
CREATE INDEX api_keys_made_by ON api_keys (merchant_id, made_by) WHERE made_by IS NOT NULL;
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON api_keys TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON api_keys TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- merchants/team and merchants/sign-in: who may come into the dashboard, how they prove who they are, and whose team they are
-- on. These instants are real time. People belong to no merchant, so what is theirs has no merchant_id, and nothing of it is
-- granted to recollect_api. users, sessions, credentials, verifications and two_factors are the sign-in library's.

CREATE TABLE users (
  id                  text PRIMARY KEY,
  name                text NOT NULL,
  email               text NOT NULL,
  email_verified      boolean NOT NULL DEFAULT false,
  image               text,
  two_factor_enabled  boolean NOT NULL DEFAULT false,
  last_seen_at        timestamptz,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  made_by             text NOT NULL DEFAULT 'unknown', -- an invitation says nothing of whose address it is
  CONSTRAINT users_one_per_email UNIQUE (email),
  CONSTRAINT users_name_not_empty CHECK (name <> ''),
  CONSTRAINT users_email_lower_case CHECK (email = lower(email)),
  CONSTRAINT users_known_made_by CHECK (made_by IN ('operator', 'invitation', 'unknown'))
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

CREATE TABLE members (
  merchant_id    text NOT NULL,
  user_id        text NOT NULL,
  role           text NOT NULL,
  joined_at      timestamptz NOT NULL,
  -- business time: from when a member may be the second owner who confirms a change. Whom another member put in that place, or
  -- whose password another member could set, waits a day: else one owner would be two. Null: at once.
  confirms_from  timestamptz,
  PRIMARY KEY (merchant_id, user_id),
  CONSTRAINT members_known_role CHECK (role IN ('owner', 'developer', 'finance', 'read_only')),
  CONSTRAINT members_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id),
  CONSTRAINT members_of_user FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX members_of_user ON members (user_id);
ALTER TABLE members ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON members TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, UPDATE, DELETE ON members TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON members FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- How the members of a team sign in, and how long a session lasts, in minutes; null: the service's own lifetime of sessions.
-- Like `members` it is read across merchants: whoever works for several teams has one session.
CREATE TABLE access_rules (
  merchant_id              text PRIMARY KEY,
  requires_second_factor   boolean NOT NULL DEFAULT false,
  session_idle_minutes     int,
  session_longest_minutes  int,
  CONSTRAINT access_rules_idle_within_bounds CHECK (session_idle_minutes BETWEEN 5 AND 10080),
  CONSTRAINT access_rules_longest_within_bounds CHECK (session_longest_minutes BETWEEN 60 AND 43200),
  CONSTRAINT access_rules_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
ALTER TABLE access_rules ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON access_rules TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON access_rules TO recollect_api;

-- The identity provider of a team. Read across merchants: who comes in is looked up before a merchant's transaction begins.
CREATE TABLE identity_providers (
  merchant_id    text PRIMARY KEY,
  issuer         text NOT NULL,
  client_id      text NOT NULL,
  client_secret  text NOT NULL, -- sealed
  is_required    boolean NOT NULL DEFAULT false, -- members other than owners come in by it alone
  CONSTRAINT identity_providers_named_by_issuer UNIQUE (merchant_id, issuer),
  CONSTRAINT identity_providers_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
ALTER TABLE identity_providers ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON identity_providers TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON identity_providers TO recollect_api;

-- An account at the provider is one member, and a member is one account there. Both end with the provider and with the
-- membership.
CREATE TABLE identities (
  merchant_id  text NOT NULL,
  issuer       text NOT NULL,
  subject      text NOT NULL,
  user_id      text NOT NULL,
  linked_at    timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, issuer, subject),
  CONSTRAINT identities_one_per_member UNIQUE (merchant_id, user_id),
  CONSTRAINT identities_of_provider FOREIGN KEY (merchant_id, issuer)
    REFERENCES identity_providers (merchant_id, issuer) ON DELETE CASCADE,
  CONSTRAINT identities_of_member FOREIGN KEY (merchant_id, user_id) REFERENCES members (merchant_id, user_id) ON DELETE CASCADE
);
ALTER TABLE identities ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON identities TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, DELETE ON identities TO recollect_api;

CREATE TABLE sessions (
  id               text PRIMARY KEY,
  user_id          text NOT NULL,
  token            text NOT NULL,
  expires_at       timestamptz NOT NULL,
  ip_address       text,
  user_agent       text,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  used_at          timestamptz, -- by somebody; a page that only refreshes itself does not count. Null: since it was opened.
  -- The team by whose provider it was opened: it acts for that team alone, and ends with the member's link to the provider.
  -- Null: opened by what belongs to the user, a password, a passkey or a link.
  sso_merchant_id  text,
  CONSTRAINT sessions_one_per_token UNIQUE (token),
  CONSTRAINT sessions_of_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT sessions_of_identity FOREIGN KEY (sso_merchant_id, user_id)
    REFERENCES identities (merchant_id, user_id) ON DELETE CASCADE
);
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE INDEX sessions_age ON sessions (expires_at);
CREATE INDEX sessions_by_identity ON sessions (sso_merchant_id, user_id) WHERE sso_merchant_id IS NOT NULL;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

CREATE TABLE credentials (
  id                        text PRIMARY KEY,
  user_id                   text NOT NULL,
  provider_id               text NOT NULL, -- credential: a password; the library knows others, which are not used
  account_id                text NOT NULL,
  password                  text, -- scrypt
  access_token              text,
  refresh_token             text,
  id_token                  text,
  access_token_expires_at   timestamptz,
  refresh_token_expires_at  timestamptz,
  scope                     text,
  created_at                timestamptz NOT NULL,
  updated_at                timestamptz NOT NULL,
  CONSTRAINT credentials_one_per_provider UNIQUE (user_id, provider_id, account_id),
  CONSTRAINT credentials_of_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON credentials
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What is under way: a second factor that is waited for, the challenge of a passkey.
CREATE TABLE verifications (
  id          text PRIMARY KEY,
  identifier  text NOT NULL, -- hashed
  value       text NOT NULL,
  expires_at  timestamptz NOT NULL,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL
);
CREATE INDEX verifications_by_identifier ON verifications (identifier);
CREATE INDEX verifications_age ON verifications (expires_at);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON verifications
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

CREATE TABLE two_factors (
  id                         text PRIMARY KEY,
  user_id                    text NOT NULL,
  secret                     text NOT NULL, -- encrypted
  backup_codes               text NOT NULL, -- encrypted
  verified                   boolean DEFAULT true,
  failed_verification_count  int DEFAULT 0,
  locked_until               timestamptz,
  CONSTRAINT two_factors_one_per_user UNIQUE (user_id),
  CONSTRAINT two_factors_of_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX two_factors_by_secret ON two_factors (secret);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON two_factors
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

CREATE TABLE passkeys (
  credential_id  text PRIMARY KEY, -- base64url, as the authenticator names it
  user_id        text NOT NULL,
  name           text NOT NULL,
  public_key     bytea NOT NULL,
  counter        bigint NOT NULL, -- of signatures; 0 where the authenticator does not count
  transports     text[] NOT NULL,
  backed_up      boolean NOT NULL,
  created_at     timestamptz NOT NULL,
  last_used_at   timestamptz,
  CONSTRAINT passkeys_name_not_empty CHECK (name <> ''),
  CONSTRAINT passkeys_of_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX passkeys_of_user ON passkeys (user_id);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON passkeys FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- A code of an authenticator app opens one session: whoever saw it typed cannot type it again.
CREATE TABLE used_codes (
  user_id    text NOT NULL,
  code_hash  bytea NOT NULL, -- under a key
  used_at    timestamptz NOT NULL,
  PRIMARY KEY (user_id, code_hash),
  CONSTRAINT used_codes_of_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON used_codes FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

CREATE TABLE invitations (
  merchant_id    text NOT NULL,
  invitation_id  text NOT NULL,
  email          text NOT NULL,
  role           text NOT NULL,
  token_hash     bytea NOT NULL,
  invited_by     text NOT NULL, -- the member's name, as it was
  created_at     timestamptz NOT NULL,
  expires_at     timestamptz NOT NULL,
  accepted_at    timestamptz,
  by_operator    boolean NOT NULL,
  inviter_id     text, -- null: the operator. It works only while its maker is an owner of the team.
  PRIMARY KEY (merchant_id, invitation_id),
  CONSTRAINT invitations_one_per_token UNIQUE (merchant_id, token_hash),
  CONSTRAINT invitations_email_lower_case CHECK (email = lower(email)),
  CONSTRAINT invitations_known_role CHECK (role IN ('owner', 'developer', 'finance', 'read_only')),
  CONSTRAINT invitations_inviter_known CHECK (by_operator = (inviter_id IS NULL)),
  CONSTRAINT invitations_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
CREATE UNIQUE INDEX invitations_open ON invitations (merchant_id, email) WHERE accepted_at IS NULL;
ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON invitations TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, DELETE ON invitations TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON invitations
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- The people of one team, for that team alone: a view reads with its owner's rights, so it confines itself to the merchant.
CREATE VIEW team_members WITH (security_barrier) AS
  SELECT m.merchant_id, m.user_id, m.role, m.joined_at, u.name, u.email, u.two_factor_enabled, u.last_seen_at,
    EXISTS (SELECT FROM members o WHERE o.user_id = m.user_id AND o.merchant_id <> m.merchant_id) AS works_elsewhere,
    EXISTS (SELECT FROM identities i WHERE i.merchant_id = m.merchant_id AND i.user_id = m.user_id) AS uses_sso
  FROM members m JOIN users u ON u.id = m.user_id
  WHERE m.merchant_id = current_setting('recollect.merchant_id', true);
GRANT SELECT ON team_members TO recollect_api;

-- Where the people of one team work, for themselves to choose from: of another merchant it has the name and their role.
CREATE VIEW team_memberships WITH (security_barrier) AS
  SELECT t.merchant_id, m.user_id, m.merchant_id AS works_for, w.name, m.role
  FROM members t JOIN members m ON m.user_id = t.user_id JOIN merchants w ON w.merchant_id = m.merchant_id
  WHERE t.merchant_id = current_setting('recollect.merchant_id', true);
GRANT SELECT ON team_memberships TO recollect_api;

-- A function, because Citus refuses a policy with a subquery. It is in SQL text, so that Citus can create the view again.
CREATE FUNCTION is_own_member(member text) RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM team_members t WHERE t.user_id = member AND NOT t.works_elsewhere)
$$;

-- Links that work once: to sign in without a password, and to set one. A team may make one that sets the password of its own
-- member, unless another merchant trusts that password too. It lasts only as long as whoever made it could make it.
CREATE TABLE user_links (
  token_hash   bytea PRIMARY KEY,
  user_id      text NOT NULL,
  purpose      text NOT NULL,
  expires_at   timestamptz NOT NULL,
  merchant_id  text,
  made_by      text, -- a member; null, with merchant_id: the operator
  by_email     boolean NOT NULL DEFAULT false, -- its user had forgotten the password
  CONSTRAINT user_links_known_purpose CHECK (purpose IN ('sign_in', 'set_password')),
  CONSTRAINT user_links_maker CHECK ((merchant_id IS NULL) = (made_by IS NULL)),
  CONSTRAINT user_links_of_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT user_links_of_member FOREIGN KEY (merchant_id, user_id) REFERENCES members (merchant_id, user_id) ON DELETE CASCADE,
  CONSTRAINT user_links_by_member FOREIGN KEY (merchant_id, made_by) REFERENCES members (merchant_id, user_id) ON DELETE CASCADE
);
CREATE INDEX user_links_of_user ON user_links (user_id);
CREATE INDEX user_links_age ON user_links (expires_at);
CREATE INDEX user_links_made_by ON user_links (merchant_id, made_by) WHERE made_by IS NOT NULL;
ALTER TABLE user_links ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_members ON user_links FOR INSERT TO recollect_api
  WITH CHECK (purpose = 'set_password' AND merchant_id = current_setting('recollect.merchant_id') AND is_own_member(user_id));
GRANT INSERT ON user_links TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON user_links FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- customers --------------------------------------------------------------------------------------------------------

-- Who pays. The row of an erased customer stays for the ledger, and nothing in it names a person.
CREATE TABLE customers (
  merchant_id         text NOT NULL,
  customer_id         text NOT NULL,
  phone               text, -- sealed, as name, email and notes are
  phone_index         bytea,
  bank_account        text, -- sealed {sort_code, account_number}
  bank_account_index  bytea,
  created_at          timestamptz NOT NULL,
  name                text,
  email               text,
  reference           text, -- the merchant's own id
  notes               text,
  erased_at           timestamptz,
  PRIMARY KEY (merchant_id, customer_id),
  CONSTRAINT customers_phone_or_bank_account CHECK (phone IS NOT NULL OR bank_account IS NOT NULL OR erased_at IS NOT NULL),
  CONSTRAINT customers_erased_hold_nothing CHECK (erased_at IS NULL OR num_nonnulls(phone, phone_index, bank_account,
    bank_account_index, name, email, reference, notes) = 0),
  CONSTRAINT customers_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
CREATE INDEX customers_newest ON customers (merchant_id, created_at DESC, customer_id DESC);
CREATE UNIQUE INDEX customers_one_per_phone ON customers (merchant_id, phone_index) WHERE phone_index IS NOT NULL;
CREATE UNIQUE INDEX customers_one_per_bank_account ON customers (merchant_id, bank_account_index)
  WHERE bank_account_index IS NOT NULL;
ALTER TABLE customers ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON customers TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON customers TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON customers FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What a customer is found by: blind indexes of the words of the name and the email, of the email, of the reference, and of how
-- the phone or account number ends. It stands beside the table because under row-level security an array's "contains" reaches
-- no index.
CREATE TABLE customer_words (
  merchant_id  text NOT NULL,
  word         bytea NOT NULL,
  customer_id  text NOT NULL,
  PRIMARY KEY (merchant_id, word, customer_id),
  CONSTRAINT customer_words_of_customer FOREIGN KEY (merchant_id, customer_id) REFERENCES customers (merchant_id, customer_id)
);
ALTER TABLE customer_words ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON customer_words TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, DELETE ON customer_words TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON customer_words
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- wallets: what the e-money issuer keeps, and the double-entry ledger ---------------------------------------------

CREATE TABLE wallets (
  merchant_id       text NOT NULL,
  wallet_id         text NOT NULL,
  customer_id       text, -- null: the merchant's own wallet
  status            text NOT NULL,
  issuer_wallet_id  text,
  account           text, -- sealed {sort_code, account_number, name}, once reserved
  due_at            timestamptz, -- when a release at the issuer is to be tried
  created_at        timestamptz NOT NULL,
  opened_at         timestamptz,
  closed_at         timestamptz,
  PRIMARY KEY (merchant_id, wallet_id),
  CONSTRAINT wallets_known_status CHECK (status IN ('planned', 'reserved', 'open', 'closing', 'closed')),
  CONSTRAINT wallets_in_use_have_issuer_id CHECK (status IN ('planned', 'closing', 'closed') OR issuer_wallet_id IS NOT NULL),
  CONSTRAINT wallets_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id),
  CONSTRAINT wallets_of_customer FOREIGN KEY (merchant_id, customer_id) REFERENCES customers (merchant_id, customer_id)
);
CREATE UNIQUE INDEX wallets_one_per_customer ON wallets (merchant_id, coalesce(customer_id, ''))
  WHERE status IN ('planned', 'reserved', 'open');
CREATE INDEX wallets_of_merchant ON wallets (merchant_id) WHERE customer_id IS NULL;
CREATE INDEX wallets_due ON wallets (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX wallets_of_customer ON wallets (merchant_id, customer_id) WHERE customer_id IS NOT NULL;
ALTER TABLE wallets ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON wallets TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON wallets TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON wallets FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- Only what the merchant owes and what was taken from outside may be below zero, and fees by what a lost database had taken too
-- much. The free space on a page lets a balance change without touching an index.
CREATE TABLE accounts (
  merchant_id    text NOT NULL,
  account_id     text NOT NULL, -- the wallet's id, or the name of one of the merchant's other accounts
  kind           text NOT NULL,
  balance_pence  bigint NOT NULL DEFAULT 0,
  sealed_until   timestamptz, -- transfers posted from now on have ids made later than this; of the merchant's own accounts
  PRIMARY KEY (merchant_id, account_id),
  CONSTRAINT accounts_known_kind CHECK (kind IN ('customer_wallet', 'merchant_wallet', 'in_settlement', 'outside',
    'due_from_bank', 'unallocated', 'owed', 'fees')),
  CONSTRAINT accounts_not_below_zero CHECK (balance_pence >= 0 OR kind IN ('outside', 'owed', 'fees')),
  CONSTRAINT accounts_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
) WITH (fillfactor = 45);
ALTER TABLE accounts ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON accounts TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON accounts TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- Written once. No keys to the two accounts: the transaction has locked both (docs/decisions/0027-keys-in-tests-alone.md).
CREATE TABLE transfers (
  merchant_id        text NOT NULL,
  -- read by ranges: text order is time order, whatever the database's collation is
  transfer_id        text COLLATE "C" NOT NULL,
  kind               text NOT NULL,
  debit_account_id   text NOT NULL,
  credit_account_id  text NOT NULL,
  amount_pence       bigint NOT NULL,
  source_id          text NOT NULL, -- the payment, settlement attempt or pay-in that this records: once each
  at                 timestamptz NOT NULL,
  CONSTRAINT transfers_once_per_source_and_kind UNIQUE (merchant_id, source_id, kind),
  CONSTRAINT transfers_amount_above_zero CHECK (amount_pence > 0),
  CONSTRAINT transfers_between_two_accounts CHECK (debit_account_id <> credit_account_id),
  CONSTRAINT transfers_known_kind CHECK (kind IN ('pay_in', 'move', 'settle', 'settle_back', 'pay_out', 'extra_pay_in',
    'claim', 'claim_back', 'allocate', 'give_back', 'pay_out_return', 'recall', 'net', 'cover', 'refund', 'refund_back',
    'refund_out', 'fee', 'fee_out'))
);
-- Last, for the reason that payments_pkey has.
ALTER TABLE transfers ADD CONSTRAINT transfers_pkey PRIMARY KEY (merchant_id, transfer_id);
ALTER TABLE transfers ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON transfers TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON transfers TO recollect_api;
GRANT SELECT, INSERT ON transfers TO recollect_engine;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- The operator's own wallet at the issuer, opened with the first fee.
CREATE TABLE fee_wallet (
  only_one          boolean PRIMARY KEY DEFAULT true,
  issuer_wallet_id  text NOT NULL,
  counted_to        timestamptz, -- until when what its owner moved at the issuer is counted, once final; null: nothing is yet
  owners_pence      bigint NOT NULL DEFAULT 0, -- until then: paid in less taken out
  CONSTRAINT fee_wallet_is_one CHECK (only_one)
);

-- banks ------------------------------------------------------------------------------------------------------------

-- Banks to which no payment order is sent.
CREATE TABLE bank_stops (
  bank_id       text NOT NULL,
  since         timestamptz NOT NULL,
  given_by      text NOT NULL,
  reason        text NOT NULL,
  sequence      bigint NOT NULL DEFAULT nextval('state_changes_change_id_seq'),
  ended_at      timestamptz,
  ended_by      text,
  end_reason    text,
  end_sequence  bigint,
  PRIMARY KEY (bank_id, since),
  CONSTRAINT bank_stops_whole_end CHECK (num_nulls(ended_at, ended_by, end_reason, end_sequence) IN (0, 4))
);
CREATE UNIQUE INDEX bank_stops_open ON bank_stops (bank_id) WHERE ended_at IS NULL;

-- consents ---------------------------------------------------------------------------------------------------------

-- A customer may be at the bank when the merchant changes the terms. The state that went to the bank with them is kept in
-- `left_…` with the terms that they had seen: who comes back with it is told what changed.
-- A consent ends by a bank's word only when two looks, at least an hour apart, say so. Between them it is in doubt, and no
-- payment order is sent under it. Many doubts at one bank at once are the bank's fault, and nothing ends by its word then.
CREATE TABLE consents (
  merchant_id            text NOT NULL,
  consent_id             text NOT NULL,
  schedule_id            text NOT NULL,
  customer_id            text NOT NULL,
  terms_version          int NOT NULL,
  status                 text NOT NULL,
  link_hash              bytea NOT NULL,
  link                   text NOT NULL, -- sealed
  link_expires_at        timestamptz NOT NULL,
  wallet_id              text,
  bank_id                text,
  bank_consent_id        text,
  initiation             text, -- repeated with every payment, byte for byte
  control_parameters     jsonb,
  state_hash             bytea, -- of the OAuth state that the bank hands back
  nonce                  text, -- sealed
  due_at                 timestamptz, -- pending, authorising: the link's end; authorised: the next try to activate
  created_at             timestamptz NOT NULL,
  granted_at             timestamptz,
  ended_at               timestamptz,
  left_state_hash        bytea,
  left_terms_version     int,
  paying_account         text, -- the account that pays: sealed whole
  paying_account_ending  text, -- the end of its number, which alone is ever shown
  looked_at              timestamptz, -- when the bank last proved what it has
  doubted_at             timestamptz, -- the first look that said that the consent is over; null: it stands
  look_again_at          timestamptz, -- when the bank is to be asked, beside the look before each collection
  look_tries             int NOT NULL DEFAULT 0, -- looks since that decided nothing
  suspended_at           timestamptz, -- since when the bank wants the customer's renewed authentication
  limits_changed_at      timestamptz, -- when the bank last reported other limits than those that stood here
  confirm_asked_at       timestamptz, -- since when the bank refuses orders until the customer confirms the consent
  confirm_state_hash     bytea,
  confirm_nonce          text,
  PRIMARY KEY (merchant_id, consent_id),
  CONSTRAINT consents_one_per_link UNIQUE (merchant_id, link_hash),
  CONSTRAINT consents_known_status CHECK (status IN ('pending', 'authorising', 'authorised', 'granted', 'denied', 'expired',
    'rejected', 'revoked', 'replaced', 'dropped')),
  CONSTRAINT consents_left_with_terms CHECK ((left_state_hash IS NULL) = (left_terms_version IS NULL)),
  CONSTRAINT consents_paying_account_ending_four_digits CHECK (paying_account_ending ~ '^[0-9]{4}$'),
  CONSTRAINT consents_paying_account_whole CHECK ((paying_account IS NULL) = (paying_account_ending IS NULL)),
  CONSTRAINT consents_granted_have_bank_consent CHECK (status <> 'granted' OR (bank_consent_id IS NOT NULL
    AND control_parameters IS NOT NULL)),
  CONSTRAINT consents_of_wallet FOREIGN KEY (merchant_id, wallet_id) REFERENCES wallets (merchant_id, wallet_id)
);
CREATE UNIQUE INDEX consents_one_open_per_schedule ON consents (merchant_id, schedule_id)
  WHERE status IN ('pending', 'authorising', 'authorised');
CREATE UNIQUE INDEX consents_one_granted_per_schedule ON consents (merchant_id, schedule_id) WHERE status = 'granted';
CREATE INDEX consents_of_schedule ON consents (merchant_id, schedule_id);
CREATE INDEX consents_of_wallet ON consents (merchant_id, wallet_id) WHERE wallet_id IS NOT NULL;
CREATE INDEX consents_open_due ON consents (due_at) WHERE status IN ('pending', 'authorising') AND due_at IS NOT NULL;
CREATE INDEX consents_authorised_due ON consents (due_at) WHERE status = 'authorised' AND due_at IS NOT NULL;
CREATE INDEX consents_of_bank ON consents (bank_consent_id) WHERE bank_consent_id IS NOT NULL;
-- What a customer has granted is looked up whenever a schedule is made that may share a consent.
CREATE INDEX consents_granted_of_customer ON consents (merchant_id, customer_id) WHERE status = 'granted';
CREATE INDEX consents_left_state ON consents (merchant_id, left_state_hash) WHERE left_state_hash IS NOT NULL;
CREATE INDEX consents_look_again ON consents (look_again_at) WHERE look_again_at IS NOT NULL;
CREATE INDEX consents_looked_at ON consents (bank_id, looked_at) WHERE looked_at IS NOT NULL;
CREATE INDEX consents_in_doubt ON consents (bank_id) WHERE doubted_at IS NOT NULL AND status = 'granted';
-- A consent that has not gone to the bank has no state: no entry for a null.
CREATE UNIQUE INDEX consents_one_per_state ON consents (merchant_id, state_hash) WHERE state_hash IS NOT NULL;
CREATE UNIQUE INDEX consents_one_per_confirm_state ON consents (merchant_id, confirm_state_hash)
  WHERE confirm_state_hash IS NOT NULL;
-- "Needs attention" lists a merchant's consents that wait until their customers have confirmed them at the bank.
CREATE INDEX consents_suspended ON consents (merchant_id, suspended_at) WHERE suspended_at IS NOT NULL;
ALTER TABLE consents ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON consents TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON consents TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON consents FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- A bank's tokens: a renewed one would rewrite the row of its consent, with all its indexes. Half of each page is room for it.
CREATE TABLE bank_grants (
  merchant_id  text NOT NULL,
  consent_id   text NOT NULL,
  bank_grant   text NOT NULL, -- sealed
  PRIMARY KEY (merchant_id, consent_id),
  CONSTRAINT bank_grants_of_consent FOREIGN KEY (merchant_id, consent_id) REFERENCES consents (merchant_id, consent_id)
) WITH (fillfactor = 50);
ALTER TABLE bank_grants ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON bank_grants TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON bank_grants TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON bank_grants
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- The looks that began, ended or confirmed a doubt: the evidence of every end by a bank's word. Written once.
CREATE TABLE consent_looks (
  merchant_id  text NOT NULL,
  consent_id   text NOT NULL,
  at           timestamptz NOT NULL,
  bank_id      text NOT NULL,
  said         text NOT NULL,
  evidence     text NOT NULL, -- the bank's status and reason
  PRIMARY KEY (merchant_id, consent_id, at),
  CONSTRAINT consent_looks_known_said CHECK (said IN ('over', 'stands')),
  CONSTRAINT consent_looks_of_consent FOREIGN KEY (merchant_id, consent_id) REFERENCES consents (merchant_id, consent_id)
);
GRANT SELECT, INSERT ON consent_looks TO recollect_engine;

-- The limits that a bank reported in place of those before. Written once.
CREATE TABLE consent_limit_changes (
  merchant_id  text NOT NULL,
  consent_id   text NOT NULL,
  at           timestamptz NOT NULL,
  before       jsonb NOT NULL,
  after        jsonb NOT NULL,
  PRIMARY KEY (merchant_id, consent_id, at),
  CONSTRAINT consent_limit_changes_of_consent FOREIGN KEY (merchant_id, consent_id)
    REFERENCES consents (merchant_id, consent_id)
);
GRANT SELECT, INSERT ON consent_limit_changes TO recollect_engine;

-- Since when, and until when, the service did not act on a bank's answers about consents.
CREATE TABLE bank_distrusts (
  bank_id    text NOT NULL,
  since      timestamptz NOT NULL,
  vanished   int NOT NULL, -- consents that vanished in the hour before
  looked_at  int NOT NULL, -- of so many looked at
  ended_at   timestamptz,
  ended_by   text, -- an operator's words, or that the bank disagreed with itself
  PRIMARY KEY (bank_id, since)
);
CREATE UNIQUE INDEX bank_distrusts_open ON bank_distrusts (bank_id) WHERE ended_at IS NULL;

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
ALTER TABLE bank_revocations ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON bank_revocations TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON bank_revocations TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON bank_revocations
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- schedules --------------------------------------------------------------------------------------------------------

-- That a schedule has a merchant follows from its customer: a check would lock the merchant's row, which concurrent requests
-- share.
CREATE TABLE schedules (
  merchant_id          text NOT NULL,
  schedule_id          text NOT NULL,
  customer_id          text NOT NULL,
  customer_type        text NOT NULL,
  status               text NOT NULL,
  description          text NOT NULL,
  metadata             jsonb,
  max_retries          int NOT NULL,
  terms_version        int NOT NULL, -- what the merchant asked for last
  live_version         int, -- what collections follow; null before the first consent
  consented_version    int, -- what the customer agreed to
  consent_id           text, -- the consent that collections use
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  -- sorted and found by ranges, byte by byte
  search_text          text COLLATE "C" GENERATED ALWAYS AS (lower(description)) STORED,
  resume_at            timestamptz, -- when a paused schedule resumes automatically
  statement_reference  text, -- on the customer's statement; null: derived from the schedule's id
  PRIMARY KEY (merchant_id, schedule_id),
  CONSTRAINT schedules_known_customer_type CHECK (customer_type IN ('phone', 'bank_account', 'user_id')),
  CONSTRAINT schedules_known_status CHECK (status IN ('pending_consent', 'active', 'paused', 'cancelled')),
  CONSTRAINT schedules_at_most_ten_retries CHECK (max_retries BETWEEN 0 AND 10),
  CONSTRAINT schedules_resume_when_paused CHECK (resume_at IS NULL OR status = 'paused'),
  CONSTRAINT schedules_statement_reference_fits CHECK (length(statement_reference) BETWEEN 6 AND 18),
  CONSTRAINT schedules_of_customer FOREIGN KEY (merchant_id, customer_id) REFERENCES customers (merchant_id, customer_id)
);
CREATE INDEX schedules_of_customer ON schedules (merchant_id, customer_id, created_at DESC, schedule_id DESC);
CREATE INDEX schedules_of_consent ON schedules (merchant_id, consent_id) WHERE consent_id IS NOT NULL;
-- By status, so that a rare one is found as fast as a common one; all statuses are four short walks, merged.
CREATE INDEX schedules_of_status ON schedules (merchant_id, status, created_at DESC, schedule_id DESC);
CREATE INDEX schedules_search ON schedules (merchant_id, status, search_text, schedule_id);
CREATE INDEX schedules_updated ON schedules (merchant_id, updated_at);
CREATE INDEX schedules_to_resume ON schedules (resume_at) WHERE resume_at IS NOT NULL;
ALTER TABLE schedules ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON schedules TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON schedules TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON schedules FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- Written once: a change of terms is a new version.
CREATE TABLE schedule_terms (
  merchant_id         text NOT NULL,
  schedule_id         text NOT NULL,
  version             int NOT NULL,
  amount_pence        bigint NOT NULL,
  currency            text NOT NULL,
  frequency_type      text NOT NULL,
  frequency_day       int,
  frequency_interval  int NOT NULL,
  start_date          timestamptz, -- as asked for; it goes back with a declined update
  first_at            timestamptz NOT NULL, -- occurrence 0 of the series
  time_of_day         time NOT NULL, -- as asked for: first_at itself may stand in an hour the clocks left out
  time_zone           text NOT NULL,
  end_at              timestamptz,
  created_at          timestamptz NOT NULL,
  per_payment_pence   bigint, -- limits apart from the amount; null: the limit that the terms need
  per_period_pence    bigint,
  amount_mode         text NOT NULL DEFAULT 'fixed',
  non_working_day     text NOT NULL DEFAULT 'same', -- where an occurrence goes that falls on a weekend or a bank holiday
  PRIMARY KEY (merchant_id, schedule_id, version),
  CONSTRAINT schedule_terms_amount_above_zero CHECK (amount_pence > 0),
  CONSTRAINT schedule_terms_known_frequency_type CHECK (frequency_type IN ('daily', 'weekly', 'monthly', 'quarterly', 'yearly')),
  CONSTRAINT schedule_terms_interval_above_zero CHECK (frequency_interval > 0),
  CONSTRAINT schedule_terms_per_payment_above_zero CHECK (per_payment_pence > 0),
  CONSTRAINT schedule_terms_per_period_above_zero CHECK (per_period_pence > 0),
  CONSTRAINT schedule_terms_known_amount_mode CHECK (amount_mode IN ('fixed', 'per_occurrence')),
  CONSTRAINT schedule_terms_known_non_working_day CHECK (non_working_day IN ('same', 'next', 'previous')),
  CONSTRAINT schedule_terms_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules (merchant_id, schedule_id)
);
ALTER TABLE schedule_terms ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON schedule_terms TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON schedule_terms TO recollect_api;
GRANT SELECT, INSERT ON schedule_terms TO recollect_engine;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON schedule_terms
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
ALTER TABLE consents ADD CONSTRAINT consents_of_terms
  FOREIGN KEY (merchant_id, schedule_id, terms_version) REFERENCES schedule_terms (merchant_id, schedule_id, version);

-- When a schedule is due, and the number of its last event: what every collection changes, kept out of the wide row of the
-- schedule and its indexes. Whatever changes due_at locks the schedule first. The free space on a page is for what soon happens
-- to an agenda, so that no index is written again: it moves on, and then numbers the event.
CREATE TABLE schedule_agenda (
  merchant_id      text NOT NULL,
  schedule_id      text NOT NULL,
  next_occurrence  int, -- of the live terms' series
  due_at           timestamptz, -- that occurrence's moment; null when nothing is to be collected
  -- one that cannot be opened is left for a while, so that it delays no other; due_at is the occurrence itself, and stays
  put_off_until    timestamptz,
  check_at         timestamptz, -- when the bank is asked whether the consent still stands
  last_event       int NOT NULL DEFAULT 0,
  -- how often single occurrences were changed; null: never, and nothing is looked up. Whoever opens an occurrence compares it
  -- once the row is locked, so that a change counts as a whole or not at all.
  changes          int,
  PRIMARY KEY (merchant_id, schedule_id),
  CONSTRAINT schedule_agenda_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules (merchant_id, schedule_id)
) WITH (fillfactor = 45);
-- Asked for up to forty times a second: the answer is the first entry.
CREATE INDEX schedule_agenda_to_open ON schedule_agenda (greatest(due_at, put_off_until)) WHERE due_at IS NOT NULL;
CREATE INDEX schedule_agenda_check ON schedule_agenda (check_at) WHERE check_at IS NOT NULL;
-- The overview sums what falls due within a month, and its pulse reads the merchant's next collection every two seconds.
CREATE INDEX schedule_agenda_of_merchant ON schedule_agenda (merchant_id, due_at) WHERE due_at IS NOT NULL;
ALTER TABLE schedule_agenda ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON schedule_agenda TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON schedule_agenda TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON schedule_agenda
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What the merchant set for single occurrences: an amount, or to skip it.
CREATE TABLE occurrence_changes (
  merchant_id   text NOT NULL,
  schedule_id   text NOT NULL,
  due_date      timestamptz NOT NULL,
  amount_pence  bigint, -- null: skipped
  changed_at    timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, schedule_id, due_date),
  CONSTRAINT occurrence_changes_amount_above_zero CHECK (amount_pence > 0),
  CONSTRAINT occurrence_changes_of_schedule FOREIGN KEY (merchant_id, schedule_id)
    REFERENCES schedules (merchant_id, schedule_id)
);
CREATE INDEX occurrence_changes_by_date ON occurrence_changes (merchant_id, due_date);
ALTER TABLE occurrence_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON occurrence_changes TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON occurrence_changes TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON occurrence_changes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What a schedule is found by: the words of its description, of its metadata's values and of its statement reference, and every
-- amount that its payments may have, written so that they sort as numbers do; so payments need no index on amounts. It stands
-- beside the table because under row-level security a range of texts reaches an index and "contains" does not.
CREATE TABLE schedule_words (
  merchant_id  text NOT NULL,
  word         text COLLATE "C" NOT NULL,
  schedule_id  text COLLATE "C" NOT NULL,
  PRIMARY KEY (merchant_id, word, schedule_id)
);
ALTER TABLE schedule_words ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON schedule_words TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, DELETE ON schedule_words TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON schedule_words
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- Which lines of which files were imported, by blind index: the same line again creates nothing. Written once.
CREATE TABLE imported_lines (
  merchant_id  text NOT NULL,
  line_key     bytea NOT NULL, -- of the merchant's own reference, or of the whole line
  content      bytea NOT NULL,
  schedule_id  text NOT NULL,
  imported_at  timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, line_key),
  CONSTRAINT imported_lines_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules (merchant_id, schedule_id)
);
ALTER TABLE imported_lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON imported_lines TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON imported_lines TO recollect_api;
GRANT SELECT, INSERT ON imported_lines TO recollect_engine;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON imported_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- Merchants who email their customers what changes before a collection: how many days ahead, and when to look next.
CREATE TABLE announcements (
  merchant_id  text PRIMARY KEY,
  days_ahead   int NOT NULL,
  due_at       timestamptz, -- null: nothing is set for a coming collection
  CONSTRAINT announcements_days_in_range CHECK (days_ahead BETWEEN 1 AND 30),
  CONSTRAINT announcements_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
CREATE INDEX announcements_due ON announcements (due_at) WHERE due_at IS NOT NULL;
ALTER TABLE announcements ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON announcements TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON announcements TO recollect_api;

-- What customers were told last of single collections; it is compared with what is set for them.
CREATE TABLE announced_occurrences (
  merchant_id   text NOT NULL,
  schedule_id   text NOT NULL,
  due_date      timestamptz NOT NULL,
  is_set        boolean NOT NULL,
  amount_pence  bigint, -- null: skipped, or nothing is set
  times         int NOT NULL,
  PRIMARY KEY (merchant_id, schedule_id, due_date),
  CONSTRAINT announced_occurrences_amount_is_set CHECK (is_set OR amount_pence IS NULL),
  CONSTRAINT announced_occurrences_counted CHECK (times > 0)
);
CREATE INDEX announced_occurrences_by_date ON announced_occurrences (merchant_id, due_date);
ALTER TABLE announced_occurrences ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON announced_occurrences TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON announced_occurrences
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- payments ---------------------------------------------------------------------------------------------------------

-- One for each occurrence, ever, and any number besides them (ad hoc). Written when a payment opens, when its status changes
-- and when it is settled; what happens in between is in payment_work. No index names the status, so that the update to
-- `success` writes into none, and the free space on a page is for it: what failed is found by when, what is under way by its
-- work, and what was collected when by the transfers. No keys to the schedule and the settlement: both are locked by then
-- (docs/decisions/0027-keys-in-tests-alone.md).
CREATE TABLE payments (
  merchant_id      text NOT NULL,
  payment_id       text NOT NULL,
  schedule_id      text NOT NULL,
  customer_id      text NOT NULL,
  consent_id       text NOT NULL,
  wallet_id        text NOT NULL,
  bank_id          text NOT NULL,
  amount_pence     bigint NOT NULL,
  currency         text NOT NULL,
  due_date         timestamptz NOT NULL,
  status           text NOT NULL,
  attempts         int NOT NULL DEFAULT 0, -- the number of the running or last attempt
  next_retry_at    timestamptz,
  error_code       text,
  error_message    text,
  created_at       timestamptz NOT NULL,
  completed_at     timestamptz,
  failed_at        timestamptz,
  settlement_id    text,
  returned_pence   bigint, -- recalled by the payer's bank after success
  returned_at      timestamptz,
  returned_reason  text,
  no_retry_reason  text, -- as the merchant reads it
  ad_hoc           text, -- null for an occurrence's payment, else its own id: any number of these may fall due at one moment
  description      text,
  refunded_pence   bigint, -- refunded or being refunded; null: never
  fee_pence        bigint, -- booked with its success; null: none
  CONSTRAINT payments_one_per_due_date UNIQUE NULLS NOT DISTINCT (merchant_id, schedule_id, due_date, ad_hoc),
  CONSTRAINT payments_amount_above_zero CHECK (amount_pence > 0),
  CONSTRAINT payments_known_status CHECK (status IN ('pending', 'processing', 'success', 'failed')),
  CONSTRAINT payments_completed_when_success CHECK ((status = 'success') = (completed_at IS NOT NULL)),
  CONSTRAINT payments_failed_at_when_failed CHECK ((status = 'failed') = (failed_at IS NOT NULL)),
  CONSTRAINT payments_returned_above_zero CHECK (returned_pence > 0),
  CONSTRAINT payments_returned CHECK ((returned_pence IS NULL) = (returned_at IS NULL)
    AND (returned_at IS NULL) = (returned_reason IS NULL)),
  CONSTRAINT payments_known_no_retry_reason CHECK (no_retry_reason IN ('final', 'max_retries', 'next_occurrence', 'end_date',
    'limits', 'by_hand', 'stopped')),
  CONSTRAINT payments_ad_hoc_is_its_id CHECK (ad_hoc = payment_id),
  CONSTRAINT payments_refunded_within_amount CHECK (refunded_pence BETWEEN 0 AND amount_pence),
  CONSTRAINT payments_fee_within_amount CHECK (fee_pence BETWEEN 1 AND amount_pence)
) WITH (fillfactor = 60);
CREATE INDEX payments_of_settlement ON payments (merchant_id, settlement_id) WHERE settlement_id IS NOT NULL;
CREATE INDEX payments_failed_at ON payments (merchant_id, failed_at) WHERE failed_at IS NOT NULL;
-- Lists of payments, the newest first, never sort.
CREATE INDEX payments_by_due_date ON payments (merchant_id, due_date DESC, payment_id DESC);
CREATE INDEX payments_to_retry ON payments (merchant_id, next_retry_at) WHERE next_retry_at IS NOT NULL;
-- Payments with the reason of their last failure. A collection that works has none, and writes nothing here.
CREATE INDEX payments_of_error ON payments (merchant_id, error_code, due_date DESC, payment_id DESC)
  WHERE error_code IS NOT NULL;
-- With the schedule in it, the schedules of the newest failures are read from the index alone.
CREATE INDEX payments_failed ON payments (merchant_id, due_date DESC, payment_id DESC) INCLUDE (schedule_id)
  WHERE failed_at IS NOT NULL;
-- Last: of indexes that it finds equally dear, as it does while a table is small, PostgreSQL takes the newest. By another one a
-- lookup by id would read all payments of the merchant.
ALTER TABLE payments ADD CONSTRAINT payments_pkey PRIMARY KEY (merchant_id, payment_id);
ALTER TABLE payments ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON payments TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON payments TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What is under way: the queue, the lease and the lock of a payment until it ends. Retries, polls and transfers write only
-- here.
CREATE TABLE payment_work (
  merchant_id      text NOT NULL,
  payment_id       text NOT NULL,
  stage            text NOT NULL,
  bank_id          text NOT NULL,
  wallet_id        text NOT NULL, -- the customer's: money without a name is looked up by it
  due_at           timestamptz NOT NULL,
  attempt          int NOT NULL DEFAULT 0,
  polls            int NOT NULL DEFAULT 0,
  manual           boolean NOT NULL DEFAULT false,
  bank_payment_id  text,
  stopped_by       text, -- the no that met a payment while an order of it was under way: no other order follows
  PRIMARY KEY (merchant_id, payment_id),
  CONSTRAINT payment_work_known_stage CHECK (stage IN ('wait', 'submit', 'track', 'move')),
  CONSTRAINT payment_work_known_stopped_by CHECK (stopped_by IN ('consent_revoked', 'schedule_cancelled', 'schedule_paused'))
) WITH (fillfactor = 50);
-- A queue for each bank: one that has no room is passed over without reading what waits for it.
CREATE INDEX payment_work_to_submit ON payment_work (bank_id, due_at) WHERE stage IN ('wait', 'submit');
CREATE INDEX payment_work_to_track ON payment_work (bank_id, due_at) WHERE stage = 'track';
CREATE INDEX payment_work_to_move ON payment_work (due_at) WHERE stage = 'move';
-- Not by merchant first: a planner that thinks the table empty would take it for the key of a payment.
CREATE INDEX payment_work_of_wallet ON payment_work (wallet_id);
ALTER TABLE payment_work ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON payment_work TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON payment_work TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON payment_work
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- Each attempt to collect a payment.
CREATE TABLE attempts (
  merchant_id      text NOT NULL,
  payment_id       text NOT NULL,
  number           int NOT NULL,
  manual           boolean NOT NULL,
  status           text NOT NULL,
  bank_payment_id  text,
  bank_status      text,
  error_code       text,
  error_message    text,
  sent_at          timestamptz, -- from here on the bank may have it: only a payment's own status ends it
  pay_in_id        text, -- the issuer's pay-in that brought its money: told twice it is one, and another one is extra money
  started_at       timestamptz NOT NULL,
  finished_at      timestamptz,
  claimed_at       timestamptz, -- when the bank said that it has paid, before the money was there
  pay_in_by        text, -- how its pay-in was recognised
  PRIMARY KEY (merchant_id, payment_id, number),
  CONSTRAINT attempts_known_status CHECK (status IN ('started', 'processing', 'success', 'failed')),
  CONSTRAINT attempts_known_pay_in_by CHECK (pay_in_by IN ('name', 'amount', 'person'))
) WITH (fillfactor = 50);
-- As good as unique, so it serves a merchant's search too. A bank tells of payments that have ended here as well.
CREATE INDEX attempts_at_bank ON attempts (bank_payment_id) WHERE bank_payment_id IS NOT NULL;
ALTER TABLE attempts ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON attempts TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON attempts TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON attempts FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- Every order to a bank, the repeated ones too. `sequence` comes from the audit trail's own sequence, taken while schedule and
-- consent are locked: whether an order came before or after a change of state is told by no clock.
CREATE TABLE payment_orders (
  merchant_id    text NOT NULL,
  payment_id     text NOT NULL,
  attempt        int NOT NULL,
  call           int NOT NULL, -- the n-th of its attempt
  sequence       bigint NOT NULL DEFAULT nextval('state_changes_change_id_seq'),
  sent_at        timestamptz NOT NULL, -- by the database's clock
  taken_back_at  timestamptz, -- it provably never left
  PRIMARY KEY (merchant_id, payment_id, attempt, call)
);
ALTER TABLE payment_orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON payment_orders TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON payment_orders TO recollect_api;

-- Attempts that have ended, and whose bank is still to be asked: those that were paid until the bank gives its last word, which
-- is evidence for a dispute, and those that a no ended while their order may still be open at the bank.
CREATE TABLE payment_evidence (
  merchant_id      text NOT NULL,
  payment_id       text NOT NULL,
  attempt          int NOT NULL,
  bank_id          text NOT NULL,
  bank_payment_id  text, -- null: the bank has not told it
  left_open        boolean NOT NULL, -- a no ended the attempt; its payment is not retried by hand meanwhile
  since            timestamptz NOT NULL, -- when it was paid, or when its last order was sent
  tries            int NOT NULL DEFAULT 0,
  due_at           timestamptz, -- null: nothing is asked, unless the bank tells of the payment
  PRIMARY KEY (merchant_id, payment_id, attempt),
  CONSTRAINT payment_evidence_of_attempt FOREIGN KEY (merchant_id, payment_id, attempt)
    REFERENCES attempts (merchant_id, payment_id, number)
);
CREATE INDEX payment_evidence_due ON payment_evidence (bank_id, due_at) WHERE due_at IS NOT NULL;
ALTER TABLE payment_evidence ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON payment_evidence TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON payment_evidence TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON payment_evidence
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- Payments that a bank has reported and no attempt knows of: the answer to their order was lost, or has not come yet.
CREATE TABLE unknown_bank_payments (
  bank_id          text NOT NULL,
  bank_payment_id  text NOT NULL,
  tries            int NOT NULL DEFAULT 0,
  due_at           timestamptz NOT NULL,
  PRIMARY KEY (bank_id, bank_payment_id)
);
CREATE INDEX unknown_bank_payments_due ON unknown_bank_payments (bank_id, due_at);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON unknown_bank_payments
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What is collected and not yet in a settlement: written with the success of a payment, taken by its settlement.
CREATE TABLE to_settle (
  merchant_id   text NOT NULL,
  payment_id    text NOT NULL,
  settle_at     timestamptz NOT NULL,
  amount_pence  bigint NOT NULL,
  PRIMARY KEY (merchant_id, payment_id),
  CONSTRAINT to_settle_amount_above_zero CHECK (amount_pence > 0)
);
CREATE INDEX to_settle_due ON to_settle (settle_at);
ALTER TABLE to_settle ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON to_settle TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON to_settle TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON to_settle FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- Money that has come and is nobody's yet; money that a bank says it has paid is a claim on it.
CREATE TABLE unallocated_items (
  merchant_id    text NOT NULL,
  item_id        text NOT NULL,
  movement_id    text NOT NULL, -- the issuer's name for the pay-in
  part_of        text, -- the item of which this is what was left over
  wallet_id      text NOT NULL, -- the money lies in it at the issuer
  amount_pence   bigint NOT NULL,
  currency       text NOT NULL,
  end_to_end_id  text, -- what the sender called it; null where the issuer does not tell
  payer          text, -- sealed
  reason         text NOT NULL,
  schedule_id    text,
  payment_id     text, -- the guess: whose it may be
  attempt        int,
  status         text NOT NULL,
  arrived_at     timestamptz NOT NULL, -- at the issuer
  opened_at      timestamptz NOT NULL,
  proposed       jsonb, -- what the first of two people decided: {"end", "paymentId", "by", "reason", "at"}
  ended_at       timestamptz,
  ended_by       text,
  confirmed_by   text,
  end_reason     text,
  PRIMARY KEY (merchant_id, item_id),
  CONSTRAINT unallocated_items_amount_above_zero CHECK (amount_pence > 0),
  CONSTRAINT unallocated_items_known_reason CHECK (reason IN ('nothing_awaited', 'another_amount', 'another_wallet',
    'paid_already', 'later_attempt', 'left_over')),
  CONSTRAINT unallocated_items_known_status CHECK (status IN ('open', 'allocated', 'accepted_in_part', 'returned', 'paid_on')),
  CONSTRAINT unallocated_items_payment_with_schedule CHECK ((payment_id IS NULL) = (schedule_id IS NULL)),
  CONSTRAINT unallocated_items_ended_unless_open CHECK ((status = 'open') = (ended_at IS NULL)),
  CONSTRAINT unallocated_items_ended_by_somebody CHECK ((ended_at IS NULL) = (ended_by IS NULL)
    AND (ended_at IS NULL) = (end_reason IS NULL)),
  CONSTRAINT unallocated_items_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id),
  CONSTRAINT unallocated_items_of_wallet FOREIGN KEY (merchant_id, wallet_id) REFERENCES wallets (merchant_id, wallet_id),
  CONSTRAINT unallocated_items_part_of_item FOREIGN KEY (merchant_id, part_of)
    REFERENCES unallocated_items (merchant_id, item_id),
  CONSTRAINT unallocated_items_of_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments (merchant_id, payment_id)
);
CREATE UNIQUE INDEX unallocated_items_of_movement ON unallocated_items (merchant_id, movement_id) WHERE part_of IS NULL;
CREATE INDEX unallocated_items_open ON unallocated_items (opened_at) WHERE status = 'open';
CREATE INDEX unallocated_items_of_wallet ON unallocated_items (merchant_id, wallet_id) WHERE status = 'open';
CREATE INDEX unallocated_items_of_payment ON unallocated_items (merchant_id, payment_id) WHERE payment_id IS NOT NULL;
ALTER TABLE unallocated_items ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON unallocated_items TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON unallocated_items TO recollect_api;

-- What each wallet contains at the issuer, by our books: its balance, the money in it that is nobody's yet, and, in a
-- merchant's own wallet, the fees until they are transferred.
CREATE VIEW wallet_holdings WITH (security_invoker = true) AS
  SELECT w.merchant_id, w.wallet_id,
    coalesce(a.balance_pence, 0::bigint) + coalesce(u.pence, 0::bigint) + coalesce(f.balance_pence, 0::bigint) AS pence
  FROM wallets w
  LEFT JOIN accounts a ON a.merchant_id = w.merchant_id AND a.account_id = w.wallet_id
  LEFT JOIN accounts f ON f.merchant_id = w.merchant_id AND f.account_id = 'fees' AND w.customer_id IS NULL
    AND w.status <> 'closed'
  LEFT JOIN LATERAL (SELECT sum(i.amount_pence)::bigint AS pence FROM unallocated_items i
    WHERE i.merchant_id = w.merchant_id AND i.wallet_id = w.wallet_id AND i.status = 'open') u ON true;
GRANT SELECT ON wallet_holdings TO recollect_api;

-- refunds ----------------------------------------------------------------------------------------------------------

-- Money of a payment that goes back to the account that paid it.
CREATE TABLE refunds (
  merchant_id         text NOT NULL,
  refund_id           text NOT NULL,
  payment_id          text NOT NULL,
  schedule_id         text NOT NULL,
  amount_pence        bigint NOT NULL,
  currency            text NOT NULL,
  reason              text,
  status              text NOT NULL,
  stage               text,
  due_at              timestamptz,
  polls               int NOT NULL DEFAULT 0,
  destination         text, -- the account that paid, sealed; settled before the first order
  issuer_movement_id  text,
  return_movement_id  text, -- the issuer's name for the money that came back
  error_code          text,
  error_message       text,
  created_at          timestamptz NOT NULL,
  set_apart_at        timestamptz, -- when its money left the merchant's wallet in the ledger
  completed_at        timestamptz,
  failed_at           timestamptz,
  PRIMARY KEY (merchant_id, refund_id),
  CONSTRAINT refunds_amount_above_zero CHECK (amount_pence > 0),
  CONSTRAINT refunds_known_status CHECK (status IN ('pending', 'processing', 'success', 'failed')),
  CONSTRAINT refunds_known_stage CHECK (stage IN ('wait', 'pay', 'track')),
  CONSTRAINT refunds_due_while_under_way CHECK ((stage IS NULL) = (due_at IS NULL)),
  CONSTRAINT refunds_completed_when_success CHECK ((status = 'success') = (completed_at IS NOT NULL)),
  CONSTRAINT refunds_failed_at_when_failed CHECK ((status = 'failed') = (failed_at IS NOT NULL)),
  CONSTRAINT refunds_of_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments (merchant_id, payment_id)
);
CREATE INDEX refunds_newest ON refunds (merchant_id, created_at DESC, refund_id DESC);
CREATE INDEX refunds_by_payment ON refunds (merchant_id, payment_id);
CREATE INDEX refunds_due ON refunds (stage, due_at) WHERE stage IS NOT NULL;
CREATE INDEX refunds_of_movement ON refunds (merchant_id, issuer_movement_id) WHERE issuer_movement_id IS NOT NULL;
ALTER TABLE refunds ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON refunds TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON refunds TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What a refund takes from what is paid out, and gives back where it failed: each line is netted from one settlement.
CREATE TABLE refund_lines (
  merchant_id    text NOT NULL,
  refund_id      text NOT NULL,
  kind           text NOT NULL,
  amount_pence   bigint NOT NULL, -- below zero where it gives back
  settle_at      timestamptz, -- from when it is paid out even if nothing was collected; null: it only reduces
  settlement_id  text,
  PRIMARY KEY (merchant_id, refund_id, kind),
  CONSTRAINT refund_lines_known_kind CHECK (kind IN ('refund', 'refund_back')),
  CONSTRAINT refund_lines_signed CHECK ((kind = 'refund') = (amount_pence > 0) AND amount_pence <> 0),
  CONSTRAINT refund_lines_of_refund FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds (merchant_id, refund_id)
);
CREATE INDEX refund_lines_to_net ON refund_lines (merchant_id) WHERE settlement_id IS NULL;
CREATE INDEX refund_lines_due ON refund_lines (settle_at) WHERE settlement_id IS NULL AND settle_at IS NOT NULL;
CREATE INDEX refund_lines_of_settlement ON refund_lines (merchant_id, settlement_id) WHERE settlement_id IS NOT NULL;
ALTER TABLE refund_lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON refund_lines TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON refund_lines TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON refund_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What a failed settlement had netted, before it went with a later one.
CREATE TABLE carried_refund_lines (
  merchant_id    text NOT NULL,
  settlement_id  text NOT NULL,
  refund_id      text NOT NULL,
  kind           text NOT NULL,
  PRIMARY KEY (merchant_id, settlement_id, refund_id, kind),
  CONSTRAINT carried_refund_lines_of_line FOREIGN KEY (merchant_id, refund_id, kind)
    REFERENCES refund_lines (merchant_id, refund_id, kind)
);
ALTER TABLE carried_refund_lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON carried_refund_lines TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON carried_refund_lines TO recollect_api;

CREATE VIEW settlement_refund_lines WITH (security_invoker = true) AS
  SELECT merchant_id, settlement_id, refund_id, kind FROM refund_lines WHERE settlement_id IS NOT NULL
  UNION ALL SELECT merchant_id, settlement_id, refund_id, kind FROM carried_refund_lines;
GRANT SELECT ON settlement_refund_lines TO recollect_api;

-- settlements ------------------------------------------------------------------------------------------------------

-- One pay-out carries GBP 1,000,000.00: a merchant who collects more on a day is settled in as many parts as it takes. Refunds
-- that came back may be more than the new ones, so refunds_pence may be below zero.
CREATE TABLE settlements (
  merchant_id         text NOT NULL,
  settlement_id       text NOT NULL,
  settle_date         date NOT NULL,
  amount_pence        bigint NOT NULL,
  currency            text NOT NULL,
  status              text NOT NULL,
  stage               text, -- carry: failed, to go with the next day's
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
  part                smallint NOT NULL DEFAULT 1,
  gross_pence         bigint NOT NULL,
  refunds_pence       bigint NOT NULL DEFAULT 0,
  fees_pence          bigint NOT NULL DEFAULT 0,
  carried_pence       bigint NOT NULL DEFAULT 0, -- what the merchant owed and is netted here
  return_movement_id  text, -- the issuer's name for the money that came back
  account_doubted_at  timestamptz, -- pay-outs wait from here on until the account is confirmed or changed
  ordered_at          timestamptz, -- when its pay-out was last ordered at the issuer; order_sequence: where among holds
  order_sequence      bigint,
  PRIMARY KEY (merchant_id, settlement_id),
  CONSTRAINT settlements_of_a_day UNIQUE (merchant_id, settle_date, part),
  CONSTRAINT settlements_amount_above_zero CHECK (amount_pence > 0),
  CONSTRAINT settlements_known_status CHECK (status IN ('pending', 'processing', 'success', 'failed')),
  CONSTRAINT settlements_known_stage CHECK (stage IN ('pay', 'track', 'carry')),
  CONSTRAINT settlements_part_above_zero CHECK (part > 0),
  CONSTRAINT settlements_fees_not_below_zero CHECK (fees_pence >= 0),
  CONSTRAINT settlements_carried_not_below_zero CHECK (carried_pence >= 0),
  CONSTRAINT settlements_add_up CHECK (amount_pence = gross_pence - refunds_pence - fees_pence - carried_pence),
  CONSTRAINT settlements_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
CREATE INDEX settlements_newest ON settlements (merchant_id, created_at DESC, settlement_id DESC);
CREATE INDEX settlements_due ON settlements (stage, due_at) WHERE stage IS NOT NULL;
CREATE INDEX settlements_of_movement ON settlements (merchant_id, issuer_movement_id) WHERE issuer_movement_id IS NOT NULL;
CREATE INDEX settlements_doubted ON settlements (merchant_id, account_doubted_at) WHERE account_doubted_at IS NOT NULL;
ALTER TABLE settlements ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON settlements TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON settlements TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON settlements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
ALTER TABLE refund_lines ADD CONSTRAINT refund_lines_netted_in_settlement
  FOREIGN KEY (merchant_id, settlement_id) REFERENCES settlements (merchant_id, settlement_id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE carried_refund_lines ADD CONSTRAINT carried_refund_lines_in_settlement
  FOREIGN KEY (merchant_id, settlement_id) REFERENCES settlements (merchant_id, settlement_id);

-- Payments that a failed settlement had before they went on to a later one.
CREATE TABLE carried_payments (
  merchant_id    text NOT NULL,
  settlement_id  text NOT NULL,
  payment_id     text NOT NULL,
  PRIMARY KEY (merchant_id, settlement_id, payment_id),
  CONSTRAINT carried_payments_in_settlement FOREIGN KEY (merchant_id, settlement_id)
    REFERENCES settlements (merchant_id, settlement_id),
  CONSTRAINT carried_payments_of_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments (merchant_id, payment_id)
);
CREATE INDEX carried_payments_of_payment ON carried_payments (merchant_id, payment_id);
ALTER TABLE carried_payments ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON carried_payments TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON carried_payments TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON carried_payments
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What a settlement is made of: the one answer for the API, the CSV and the laws of money.
CREATE VIEW settlement_payments WITH (security_invoker = true) AS
  SELECT merchant_id, settlement_id, payment_id FROM payments WHERE settlement_id IS NOT NULL
  UNION ALL
  SELECT merchant_id, settlement_id, payment_id FROM carried_payments;
GRANT SELECT ON settlement_payments TO recollect_api;

-- Recalled pay-ins: what a merchant owes until it is netted from a settlement and covered at the issuer. A recalled pay-in may
-- have paid for a payment in part, and be on the unallocated list with the rest: a debt each, of which the second covers the
-- issuer from its wallet.
CREATE TABLE debts (
  merchant_id     text NOT NULL,
  debt_id         text NOT NULL,
  movement_id     text NOT NULL, -- the issuer's name for the recall
  payment_id      text,
  amount_pence    bigint NOT NULL,
  reason          text NOT NULL,
  issuer_account  text NOT NULL, -- where the issuer wants it covered
  created_at      timestamptz NOT NULL,
  settlement_id   text, -- the settlement that it is netted from
  netted_at       timestamptz, -- set apart from the merchant's wallet
  tries           int NOT NULL DEFAULT 0,
  due_at          timestamptz,
  covered_at      timestamptz,
  wallet_id       text, -- where the money lies; null: the merchant owes it
  PRIMARY KEY (merchant_id, debt_id),
  CONSTRAINT debts_once_per_recall_and_wallet UNIQUE NULLS NOT DISTINCT (merchant_id, movement_id, wallet_id),
  CONSTRAINT debts_amount_above_zero CHECK (amount_pence > 0),
  CONSTRAINT debts_due_until_covered CHECK ((due_at IS NOT NULL) = (netted_at IS NOT NULL AND covered_at IS NULL)),
  CONSTRAINT debts_have_a_source CHECK ((payment_id IS NULL) = (wallet_id IS NOT NULL)),
  CONSTRAINT debts_of_wallets_are_not_netted CHECK (wallet_id IS NULL OR settlement_id IS NULL),
  CONSTRAINT debts_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id),
  CONSTRAINT debts_netted_in_settlement FOREIGN KEY (merchant_id, settlement_id)
    REFERENCES settlements (merchant_id, settlement_id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT debts_of_wallet FOREIGN KEY (merchant_id, wallet_id) REFERENCES wallets (merchant_id, wallet_id),
  CONSTRAINT debts_of_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments (merchant_id, payment_id)
);
CREATE INDEX debts_due ON debts (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX debts_of_settlement ON debts (merchant_id, settlement_id);
CREATE INDEX debts_of_wallets ON debts (merchant_id, wallet_id) WHERE wallet_id IS NOT NULL;
ALTER TABLE debts ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON debts TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON debts TO recollect_api;

-- What a failed settlement had netted, before it went with a later one.
CREATE TABLE carried_debts (
  merchant_id    text NOT NULL,
  settlement_id  text NOT NULL,
  debt_id        text NOT NULL,
  PRIMARY KEY (merchant_id, settlement_id, debt_id),
  CONSTRAINT carried_debts_in_settlement FOREIGN KEY (merchant_id, settlement_id)
    REFERENCES settlements (merchant_id, settlement_id),
  CONSTRAINT carried_debts_of_debt FOREIGN KEY (merchant_id, debt_id) REFERENCES debts (merchant_id, debt_id)
);
ALTER TABLE carried_debts ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON carried_debts TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON carried_debts TO recollect_api;

CREATE VIEW settlement_debts WITH (security_invoker = true) AS
  SELECT merchant_id, settlement_id, debt_id FROM debts WHERE settlement_id IS NOT NULL
  UNION ALL SELECT merchant_id, settlement_id, debt_id FROM carried_debts;
GRANT SELECT ON settlement_debts TO recollect_api;

-- The fees of a settlement on their way to the fee wallet. What a lost database ordered counts as taken, whatever its amount:
-- the next transfer takes more or less.
CREATE TABLE fee_transfers (
  merchant_id    text NOT NULL,
  settlement_id  text NOT NULL,
  fees_pence     bigint NOT NULL, -- of its payments that no earlier settlement had
  order_pence    bigint NOT NULL, -- the same, less what was taken too much before
  taken_pence    bigint, -- null: under way
  tries          int NOT NULL DEFAULT 0,
  due_at         timestamptz,
  created_at     timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, settlement_id),
  CONSTRAINT fee_transfers_fees_above_zero CHECK (fees_pence > 0),
  CONSTRAINT fee_transfers_order_not_below_zero CHECK (order_pence >= 0),
  CONSTRAINT fee_transfers_due_until_taken CHECK ((due_at IS NULL) = (taken_pence IS NOT NULL)),
  CONSTRAINT fee_transfers_of_settlement FOREIGN KEY (merchant_id, settlement_id)
    REFERENCES settlements (merchant_id, settlement_id)
);
CREATE INDEX fee_transfers_due ON fee_transfers (due_at) WHERE due_at IS NOT NULL;
ALTER TABLE fee_transfers ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON fee_transfers TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON fee_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- webhooks ---------------------------------------------------------------------------------------------------------

CREATE TABLE webhook_endpoints (
  merchant_id     text NOT NULL,
  endpoint_id     text NOT NULL,
  url             text NOT NULL,
  description     text NOT NULL DEFAULT '',
  event_kinds     text[] NOT NULL,
  status          text NOT NULL,
  secret          text NOT NULL, -- sealed: what signs
  next_secret     text, -- sealed: signs from activation, or 24 hours after it was made
  next_secret_at  timestamptz,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  -- when more of what waits for a disabled or deleted endpoint is put aside: some at a time, because whoever appends events
  -- waits for the lock of an endpoint that is being changed
  due_at          timestamptz,
  PRIMARY KEY (merchant_id, endpoint_id),
  CONSTRAINT webhook_endpoints_known_status CHECK (status IN ('enabled', 'disabled', 'deleted')),
  CONSTRAINT webhook_endpoints_next_secret_dated CHECK ((next_secret IS NULL) = (next_secret_at IS NULL)),
  CONSTRAINT webhook_endpoints_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
-- When the next signing secret becomes the one that signs.
CREATE INDEX webhook_endpoints_rotating ON webhook_endpoints (next_secret_at) WHERE next_secret_at IS NOT NULL;
CREATE INDEX webhook_endpoints_due ON webhook_endpoints (due_at) WHERE due_at IS NOT NULL;
ALTER TABLE webhook_endpoints ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON webhook_endpoints TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON webhook_endpoints TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON webhook_endpoints
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- The transaction that appends an event inserts its deliveries. Nearly every one is acknowledged at its first attempt, which
-- stands in this row, written at that moment anyway; all other attempts, and responses too long for the row, are rows of
-- delivery_attempts. No key to the endpoint: it was just read (docs/decisions/0027-keys-in-tests-alone.md).
CREATE TABLE deliveries (
  merchant_id            text NOT NULL,
  delivery_id            text NOT NULL,
  event_id               text NOT NULL,
  endpoint_id            text NOT NULL,
  status                 text NOT NULL, -- held: the endpoint was disabled
  attempts               int NOT NULL DEFAULT 0,
  failures               int NOT NULL DEFAULT 0, -- since it was last set off: the rung of the retry ladder
  due_at                 timestamptz,
  created_at             timestamptz NOT NULL,
  finished_at            timestamptz,
  first_at               timestamptz, -- null: there is no first attempt, or it is in delivery_attempts
  first_response_status  int,
  first_response_body    text,
  first_duration_ms      int,
  PRIMARY KEY (merchant_id, delivery_id),
  CONSTRAINT deliveries_one_per_event_and_endpoint UNIQUE (merchant_id, event_id, endpoint_id),
  CONSTRAINT deliveries_known_status CHECK (status IN ('pending', 'delivered', 'failed', 'held')),
  CONSTRAINT deliveries_due_while_pending CHECK ((status = 'pending') = (due_at IS NOT NULL)),
  CONSTRAINT deliveries_first_attempt_whole CHECK (num_nulls(first_at, first_response_status, first_response_body,
    first_duration_ms) IN (0, 4)),
  CONSTRAINT deliveries_of_event FOREIGN KEY (merchant_id, event_id) REFERENCES events (merchant_id, event_id)
);
CREATE INDEX deliveries_due ON deliveries (merchant_id, endpoint_id, due_at, event_id) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_next ON deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_first_at ON deliveries (merchant_id, first_at) WHERE first_at IS NOT NULL;
-- Pending deliveries are found by deliveries_due: one that is acknowledged at once never enters this index.
CREATE INDEX deliveries_not_acknowledged ON deliveries (merchant_id, event_id) WHERE status IN ('failed', 'held');
-- Enabling an endpoint makes its held retries due again, in steps. Each step finds the next ones here, whatever else is held.
CREATE INDEX deliveries_to_take_up ON deliveries (merchant_id, endpoint_id, event_id) WHERE status = 'held' AND attempts > 0;
ALTER TABLE deliveries ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON deliveries TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON deliveries TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON deliveries FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

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
  CONSTRAINT delivery_attempts_of_delivery FOREIGN KEY (merchant_id, delivery_id)
    REFERENCES deliveries (merchant_id, delivery_id)
);
CREATE INDEX delivery_attempts_at ON delivery_attempts (merchant_id, at);
ALTER TABLE delivery_attempts ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON delivery_attempts TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON delivery_attempts TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON delivery_attempts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

CREATE VIEW all_delivery_attempts WITH (security_invoker = true) AS
  SELECT merchant_id, delivery_id, 1 AS number, false AS manual, first_response_status AS response_status,
    first_response_body AS response_body, NULL::text AS error, first_duration_ms AS duration_ms, first_at AS at
  FROM deliveries WHERE first_at IS NOT NULL
  UNION ALL
  SELECT merchant_id, delivery_id, number, manual, response_status, response_body, error, duration_ms, at
  FROM delivery_attempts;
GRANT SELECT ON all_delivery_attempts TO recollect_api;

-- In two parts, so that each has an index.
CREATE VIEW undelivered_deliveries WITH (security_invoker = true) AS
  SELECT merchant_id, delivery_id, event_id, endpoint_id, status, attempts, failures, finished_at
  FROM deliveries WHERE due_at IS NOT NULL
  UNION ALL
  SELECT merchant_id, delivery_id, event_id, endpoint_id, status, attempts, failures, finished_at
  FROM deliveries WHERE status IN ('failed', 'held');
GRANT SELECT ON undelivered_deliveries TO recollect_api;

-- When it was appended, no endpoint asked for an event of its kind. What did not arrive is read off this and off what is on its
-- way, not off all events that ever were.
CREATE TABLE events_without_endpoint (
  merchant_id  text NOT NULL,
  event_id     text NOT NULL, -- of an event that was just written, so that looking it up would tell nothing
  PRIMARY KEY (merchant_id, event_id)
);
ALTER TABLE events_without_endpoint ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON events_without_endpoint TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON events_without_endpoint TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON events_without_endpoint
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- notices ----------------------------------------------------------------------------------------------------------

-- Notices to people: written in the transaction of their cause, one for each cause and reader. To a customer (customer_id): the
-- address is read when it is sent. No keys to schedule and customer: they would lock the schedule, and who writes a notice may
-- have locked rows that come after it.
CREATE TABLE notices (
  merchant_id   text NOT NULL,
  notice_id     text COLLATE "C" NOT NULL,
  kind          text NOT NULL,
  cause_id      text NOT NULL,
  reader_index  bytea NOT NULL,
  content       text NOT NULL,
  status        text NOT NULL,
  attempts      int NOT NULL DEFAULT 0,
  due_at        timestamptz,
  error         text,
  created_at    timestamptz NOT NULL,
  ended_at      timestamptz,
  schedule_id   text,
  customer_id   text,
  PRIMARY KEY (merchant_id, notice_id),
  CONSTRAINT notices_one_per_cause_and_reader UNIQUE (merchant_id, kind, cause_id, reader_index),
  CONSTRAINT notices_known_status CHECK (status IN ('pending', 'sent', 'failed', 'kept')),
  CONSTRAINT notices_due_while_pending CHECK ((status = 'pending') = (due_at IS NOT NULL)),
  CONSTRAINT notices_attempts_not_below_zero CHECK (attempts >= 0),
  CONSTRAINT notices_customer_with_schedule CHECK ((customer_id IS NULL) = (schedule_id IS NULL)),
  CONSTRAINT notices_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
CREATE INDEX notices_due ON notices (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX notices_of_cause ON notices (merchant_id, cause_id);
CREATE INDEX notices_of_customer ON notices (merchant_id, customer_id) WHERE customer_id IS NOT NULL;
ALTER TABLE notices ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON notices TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON notices TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON notices FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- The kinds of notices that a merchant has turned off.
CREATE TABLE notices_off (
  merchant_id  text NOT NULL,
  kind         text NOT NULL,
  PRIMARY KEY (merchant_id, kind),
  CONSTRAINT notices_off_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
ALTER TABLE notices_off ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON notices_off TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, DELETE ON notices_off TO recollect_api;

-- The kinds of notices to customers that a merchant has turned on: none is sent to a customer before.
CREATE TABLE notices_on (
  merchant_id  text NOT NULL,
  kind         text NOT NULL,
  PRIMARY KEY (merchant_id, kind),
  CONSTRAINT notices_on_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
ALTER TABLE notices_on ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON notices_on TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, DELETE ON notices_on TO recollect_api;

-- The team as a notice finds it: the engine's own transactions write notices too, and they belong to no merchant.
CREATE VIEW notice_readers WITH (security_barrier) AS
SELECT m.merchant_id, m.user_id, m.role, u.name, u.email
FROM members m JOIN users u ON u.id = m.user_id
WHERE current_user = 'recollect_engine' OR m.merchant_id = current_setting('recollect.merchant_id', true);
GRANT SELECT ON notice_readers TO recollect_api;

-- laws -------------------------------------------------------------------------------------------------------------

-- What the last look at the books found, for everybody: the laws are the service's, not a merchant's.
CREATE TABLE law_findings (
  law            text PRIMARY KEY,
  sentence       text NOT NULL,
  holds          boolean, -- null: it could not be told
  checked_at     timestamptz NOT NULL,
  unknown_since  timestamptz, -- since when it could not be told, and (detail) why
  detail         text
);
GRANT SELECT ON law_findings TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON law_findings
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What was found and still holds: checked again every hour.
CREATE TABLE law_breaches (
  law          text NOT NULL,
  noun         text NOT NULL,
  merchant_id  text NOT NULL,
  id           text NOT NULL,
  what         text NOT NULL,
  PRIMARY KEY (law, noun, merchant_id, id, what)
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON law_breaches
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- Where the rotating part of the check stands in each table; one round takes at most a day.
CREATE TABLE law_rounds (
  noun            text PRIMARY KEY,
  began_at        timestamptz NOT NULL,
  after_merchant  text NOT NULL,
  after_id        text NOT NULL,
  rows_read       bigint NOT NULL, -- in this round
  rows_before     bigint NOT NULL -- in the whole round before
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON law_rounds FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- State changes up to `change_id` have been checked; those up to `next_change_id` are complete when no transaction older than
-- `next_xid` is open.
CREATE TABLE law_marks (
  only_one        boolean PRIMARY KEY DEFAULT true,
  change_id       bigint NOT NULL,
  next_change_id  bigint NOT NULL,
  next_xid        xid8 NOT NULL,
  CONSTRAINT law_marks_one_row CHECK (only_one)
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON law_marks FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- A run of a merchant's transfers that is complete: ids from `from_id` up to, and without, `to_id`. The hourly check reads what
-- changed and a share of the rest, not everything there is; for that, the sums of transfers that no transaction can add to any
-- more are sealed.
CREATE TABLE transfer_seals (
  merchant_id  text NOT NULL,
  from_id      text COLLATE "C" NOT NULL,
  to_id        text COLLATE "C" NOT NULL,
  transfers    int NOT NULL,
  checksum     numeric NOT NULL, -- over accounts: a hash of the account times what these transfers add to it
  PRIMARY KEY (merchant_id, from_id),
  CONSTRAINT transfer_seals_forward CHECK (from_id < to_id)
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON transfer_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What all sealed transfers of an account add up to; no row: nothing.
CREATE TABLE account_seals (
  merchant_id  text NOT NULL,
  account_id   text NOT NULL,
  pence        bigint NOT NULL,
  PRIMARY KEY (merchant_id, account_id)
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON account_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- Every business day the books of the day before are compared with the issuer's statement.
CREATE TABLE reconciliations (
  issuer               text NOT NULL,
  date                 date NOT NULL,
  made_at              timestamptz NOT NULL,
  lines                int NOT NULL, -- of the issuer's statement
  wallets_pence        bigint NOT NULL,
  in_settlement_pence  bigint NOT NULL,
  unallocated_pence    bigint NOT NULL,
  claims_pence         bigint NOT NULL,
  owed_pence           bigint NOT NULL,
  outside_pence        bigint NOT NULL,
  differences          int NOT NULL,
  unknown              text, -- what could not be compared, and why
  unknown_since        timestamptz,
  fees_pence           bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (issuer, date),
  CONSTRAINT reconciliations_unknown_have_since CHECK ((unknown IS NULL) = (unknown_since IS NULL))
);

-- What differs, until it is resolved.
CREATE TABLE reconciliation_items (
  issuer        text NOT NULL,
  item          text NOT NULL, -- the kind of difference, and what it is about
  merchant_id   text,
  date          date NOT NULL, -- of the report that found it first
  amount_pence  bigint, -- by how much the issuer has more than our books
  what          text NOT NULL,
  found_at      timestamptz NOT NULL,
  seen_at       timestamptz NOT NULL,
  resolved_at   timestamptz,
  resolved_by   text,
  resolution    text,
  PRIMARY KEY (issuer, item),
  CONSTRAINT reconciliation_items_resolved_by_somebody CHECK ((resolved_at IS NULL) = (resolved_by IS NULL)
    AND (resolved_at IS NULL) = (resolution IS NULL))
);
CREATE INDEX reconciliation_items_open ON reconciliation_items (issuer, found_at) WHERE resolved_at IS NULL;

-- When the next report is due; one row. The first look only finds out when that is.
CREATE TABLE reconciliation_agenda (
  only_one  boolean PRIMARY KEY DEFAULT true,
  due_at    timestamptz,
  CONSTRAINT reconciliation_agenda_one_row CHECK (only_one)
);
CREATE INDEX reconciliation_agenda_due ON reconciliation_agenda (due_at) WHERE due_at IS NOT NULL;
INSERT INTO reconciliation_agenda (due_at) VALUES ('1970-01-01T00:00:00Z');

-- privacy ----------------------------------------------------------------------------------------------------------

-- What is written once may name a person, and neither role of the service may change it. These two functions, which belong to
-- the tables' owner, may: only what is of the customer that they are given, when that customer is erased.

-- Takes what somebody wrote as the reason of a refund out of the audit trail.
CREATE FUNCTION redact_refund_reasons(of_merchant text, of_customer text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE state_changes SET reason = 'asked for' WHERE merchant_id = of_merchant AND from_state IS NULL
    AND object_id LIKE 'ref\_%' AND reason LIKE 'asked for: %'
    AND schedule_id IN (SELECT schedule_id FROM schedules WHERE merchant_id = of_merchant AND customer_id = of_customer);
$$;
REVOKE EXECUTE ON FUNCTION redact_refund_reasons FROM PUBLIC;
GRANT EXECUTE ON FUNCTION redact_refund_reasons TO recollect_engine;

-- Replaces bodies of events.
CREATE FUNCTION redact_events(of_merchant text, of_customer text, ids text[], bodies text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE events e SET body = n.body FROM unnest(ids, bodies) AS n (event_id, body)
  WHERE e.merchant_id = of_merchant AND e.event_id = n.event_id
    AND e.schedule_id IN (SELECT schedule_id FROM schedules WHERE merchant_id = of_merchant AND customer_id = of_customer);
$$;
REVOKE EXECUTE ON FUNCTION redact_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION redact_events TO recollect_engine;

-- archive ----------------------------------------------------------------------------------------------------------

-- Which history was moved out of the database into files: docs/rules/retention.md#the-archive. One archive is one month,
-- written once; `horizon` is the moment before which everything in it happened. From `verified_at` on its rows may be deleted,
-- until `ended_at`.
CREATE TABLE archives (
  archive_id       text PRIMARY KEY,
  month            date NOT NULL,
  horizon          timestamptz NOT NULL,
  folder           text NOT NULL,
  started_by       text NOT NULL,
  started_at       timestamptz NOT NULL,
  runner           text NOT NULL,
  leased_until     timestamptz NOT NULL,
  subjects         int NOT NULL DEFAULT 0,
  left_over        int NOT NULL DEFAULT 0,
  stayed           text[] NOT NULL DEFAULT '{}',
  row_counts       jsonb NOT NULL DEFAULT '{}',
  manifest_sha256  text,
  work_sha256      text,
  verified_at      timestamptz,
  ended_at         timestamptz,
  CONSTRAINT archives_month_begins CHECK (extract(day FROM month) = 1),
  CONSTRAINT archives_verified_with_digests CHECK (num_nulls(verified_at, manifest_sha256, work_sha256) IN (0, 3)),
  CONSTRAINT archives_ended_once_verified CHECK (ended_at IS NULL OR verified_at IS NOT NULL OR subjects = 0)
);
CREATE UNIQUE INDEX archives_one_open ON archives ((true)) WHERE ended_at IS NULL;
GRANT SELECT ON archives TO recollect_api;

-- Deletes events and state changes that are in a verified archive. Both are written once, so neither role of the service may
-- delete them; this function may, of the archive that is under way, what happened before its horizon, and only rows that are as
-- they were read.
CREATE FUNCTION delete_archived(
  of_archive text, of_merchant text, change_ids bigint[], change_versions text[], event_ids text[], event_versions text[]
) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  until timestamptz;
  changes integer;
  told integer;
BEGIN
  SELECT horizon INTO until FROM archives WHERE archive_id = of_archive AND verified_at IS NOT NULL AND ended_at IS NULL;
  IF until IS NULL THEN
    RAISE EXCEPTION 'archive % is not verified, or it has ended', of_archive;
  END IF;
  DELETE FROM state_changes c USING unnest(change_ids, change_versions) AS k (id, version)
    WHERE c.merchant_id = of_merchant AND c.change_id = k.id AND c.at < until AND c.xmin::text = k.version;
  GET DIAGNOSTICS changes = ROW_COUNT;
  DELETE FROM events e USING unnest(event_ids, event_versions) AS k (id, version)
    WHERE e.merchant_id = of_merchant AND e.event_id = k.id AND e.created_at < until AND e.xmin::text = k.version;
  GET DIAGNOSTICS told = ROW_COUNT;
  RETURN changes + told;
END $$;
REVOKE EXECUTE ON FUNCTION delete_archived FROM PUBLIC;
GRANT EXECUTE ON FUNCTION delete_archived TO recollect_engine;

-- dashboard --------------------------------------------------------------------------------------------------------

-- Views of lists that a team has named.
CREATE TABLE saved_views (
  merchant_id  text NOT NULL,
  view_id      text NOT NULL,
  list         text NOT NULL,
  name         text NOT NULL,
  query        text NOT NULL, -- the filters, sort and columns of its address; sealed, for they may name a customer
  made_by      text NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, view_id),
  CONSTRAINT saved_views_one_per_name UNIQUE (merchant_id, list, name),
  CONSTRAINT saved_views_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
ALTER TABLE saved_views ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON saved_views TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON saved_views TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON saved_views
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- operators --------------------------------------------------------------------------------------------------------

-- Who runs the service, by name. Instants are real time, except confirms_from.
CREATE TABLE operators (
  operator_id    text PRIMARY KEY,
  name           text NOT NULL,
  created_at     timestamptz NOT NULL,
  created_by     text NOT NULL,
  removed_at     timestamptz,
  removed_by     text,
  -- from when an operator counts as the second person of a decision that takes two. Whom another operator gave a way in, and
  -- who could so be them, waits a day: else one operator would be two. Null: at once.
  confirms_from  timestamptz,
  CONSTRAINT operators_one_per_name UNIQUE (name), -- for good: the audit trail knows operators by their names
  CONSTRAINT operators_whole_removal CHECK (num_nulls(removed_at, removed_by) IN (0, 2))
);

-- The keys with which operators call /admin/v1.
CREATE TABLE operator_keys (
  operator_id   text NOT NULL,
  key_id        text NOT NULL,
  name          text NOT NULL,
  secret_hash   bytea NOT NULL,
  hint          text NOT NULL, -- the last four characters, to tell keys apart
  created_at    timestamptz NOT NULL,
  revoked_at    timestamptz,
  last_used_at  timestamptz,
  PRIMARY KEY (operator_id, key_id),
  CONSTRAINT operator_keys_one_per_secret UNIQUE (secret_hash),
  CONSTRAINT operator_keys_of_operator FOREIGN KEY (operator_id) REFERENCES operators (operator_id)
);

-- By which address an operator signs in to the console through the operators' own identity provider, and which account there is
-- theirs: none before the first sign-in. Setting the address unlinks the account, and so ends its sessions.
CREATE TABLE operator_identities (
  operator_id  text PRIMARY KEY,
  email        text NOT NULL,
  issuer       text,
  subject      text,
  linked_at    timestamptz,
  CONSTRAINT operator_identities_one_per_email UNIQUE (email),
  CONSTRAINT operator_identities_one_per_account UNIQUE (issuer, subject),
  CONSTRAINT operator_identities_whole_link CHECK (num_nulls(issuer, subject, linked_at) IN (0, 3)),
  CONSTRAINT operator_identities_of_operator FOREIGN KEY (operator_id) REFERENCES operators (operator_id)
);

-- sandbox ----------------------------------------------------------------------------------------------------------

-- Business time is read within transactions, those of the API too.
CREATE TABLE sandbox_clock (
  only_row    boolean PRIMARY KEY DEFAULT true,
  offset_ms   bigint NOT NULL,
  held_at     timestamptz, -- while an advance is under way
  life        int NOT NULL DEFAULT 1, -- a reset begins a new one, and only then may the clock go back
  stop_asked  boolean NOT NULL DEFAULT false, -- whoever moves the clock can be asked to stop it where it is, from any process
  CONSTRAINT sandbox_clock_one_row CHECK (only_row)
);
GRANT SELECT ON sandbox_clock TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON sandbox_clock
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE TRIGGER never_live BEFORE INSERT OR UPDATE ON sandbox_clock
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
