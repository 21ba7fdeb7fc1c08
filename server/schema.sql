-- The schema after all migrations, for reading and comparing.
-- Written by `npm run generate -- schema`; a test compares it with what the migrations make. Do not edit.

CREATE OR REPLACE FUNCTION public.delete_archived(of_archive text, of_merchant text, change_ids bigint[], change_versions text[], event_ids text[], event_versions text[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION public.empty_tables(names text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM deployment WHERE mode = 'live') THEN
    RAISE EXCEPTION 'this database is stamped live: only the tables of a sandbox can be emptied';
  END IF;
  EXECUTE (SELECT 'TRUNCATE ' || string_agg(quote_ident(name), ', ') FROM unnest(names) AS name);
END $function$;

CREATE OR REPLACE FUNCTION public.find_let_in(person text, of_merchant text)
 RETURNS TABLE(newcomer_since timestamp with time zone, let_in_by text[], reset_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  WITH RECURSIVE above (id) AS (
    SELECT by_id FROM let_ins WHERE person_id = person
    UNION SELECT l.by_id FROM let_ins l JOIN above a ON l.person_id = a.id
  )
  SELECT
    (SELECT max(at) FROM let_ins
     WHERE person_id = person AND NOT is_trusted AND (merchant_id IS NULL OR merchant_id = of_merchant)),
    (SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM above WHERE id <> person),
    (SELECT max(at) FROM let_ins WHERE person_id = person AND how = 'reset')
  WHERE current_setting('role') <> 'recollect_api' OR person NOT LIKE 'usr\_%' OR EXISTS (
    SELECT FROM members WHERE merchant_id = current_setting('recollect.merchant_id', true) AND user_id = person)
$function$;

CREATE OR REPLACE FUNCTION public.is_own_member(member text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT EXISTS (SELECT FROM team_members t WHERE t.user_id = member AND NOT t.works_elsewhere)
$function$;

CREATE OR REPLACE FUNCTION public.redact_events(of_merchant text, of_customer text, ids text[], bodies text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE events e SET body = n.body FROM unnest(ids, bodies) AS n (event_id, body)
  WHERE e.merchant_id = of_merchant AND e.event_id = n.event_id
    AND e.schedule_id IN (SELECT schedule_id FROM schedules WHERE merchant_id = of_merchant AND customer_id = of_customer);
END $function$;

CREATE OR REPLACE FUNCTION public.redact_refund_reasons(of_merchant text, of_customer text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE state_changes SET reason = 'asked for' WHERE merchant_id = of_merchant AND from_state IS NULL
    AND object_id LIKE 'ref\_%' AND reason LIKE 'asked for: %'
    AND schedule_id IN (SELECT schedule_id FROM schedules WHERE merchant_id = of_merchant AND customer_id = of_customer);
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_on_a_live_database()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM deployment WHERE mode = 'live') THEN
    RAISE EXCEPTION 'this database is stamped live: % on % is for a sandbox alone', TG_OP, TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_to_change_the_stamp()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'the stamp of a deployment is never changed';
END $function$;

CREATE OR REPLACE FUNCTION public.shift_let_ins(ms bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM deployment WHERE mode = 'live') THEN
    RAISE EXCEPTION 'this database is stamped live: what is recorded of people does not move';
  END IF;
  UPDATE let_ins SET at = at + ms * interval '1 millisecond';
END $function$;

GRANT EXECUTE ON FUNCTION delete_archived(text,text,bigint[],text[],text[],text[]) TO recollect_engine;

GRANT EXECUTE ON FUNCTION empty_tables(text[]) TO recollect_engine;

GRANT EXECUTE ON FUNCTION find_let_in(text,text) TO recollect_api;

GRANT EXECUTE ON FUNCTION find_let_in(text,text) TO recollect_engine;

GRANT EXECUTE ON FUNCTION redact_events(text,text,text[],text[]) TO recollect_engine;

GRANT EXECUTE ON FUNCTION redact_refund_reasons(text,text) TO recollect_engine;

GRANT EXECUTE ON FUNCTION shift_let_ins(bigint) TO recollect_engine;

CREATE SEQUENCE event_positions AS bigint INCREMENT 1 START 1;

GRANT USAGE ON SEQUENCE event_positions TO recollect_api;

GRANT USAGE ON SEQUENCE event_positions TO recollect_engine;

GRANT USAGE ON SEQUENCE let_ins_let_in_id_seq TO recollect_engine;

GRANT USAGE ON SEQUENCE state_changes_change_id_seq TO recollect_api;

GRANT USAGE ON SEQUENCE state_changes_change_id_seq TO recollect_engine;

CREATE TABLE access_rules (
  merchant_id text NOT NULL,
  requires_second_factor boolean NOT NULL DEFAULT false,
  session_idle_minutes integer,
  session_longest_minutes integer,
  CONSTRAINT access_rules_pkey PRIMARY KEY (merchant_id),
  CONSTRAINT access_rules_idle_within_bounds CHECK (((session_idle_minutes >= 5) AND (session_idle_minutes <= 10080))),
  CONSTRAINT access_rules_longest_within_bounds CHECK (((session_longest_minutes >= 60) AND (session_longest_minutes <= 43200))),
  CONSTRAINT access_rules_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE access_rules ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON access_rules AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON access_rules AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON access_rules TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON access_rules TO recollect_api;

CREATE TABLE account_seals (
  merchant_id text NOT NULL,
  account_id text NOT NULL,
  pence bigint NOT NULL,
  CONSTRAINT account_seals_pkey PRIMARY KEY (merchant_id, account_id)
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.account_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON account_seals TO recollect_engine;

CREATE TABLE accounts (
  merchant_id text NOT NULL,
  account_id text NOT NULL,
  kind text NOT NULL,
  balance_pence bigint NOT NULL DEFAULT 0,
  sealed_until timestamp with time zone,
  CONSTRAINT accounts_pkey PRIMARY KEY (merchant_id, account_id),
  CONSTRAINT accounts_known_kind CHECK ((kind = ANY (ARRAY['customer_wallet'::text, 'merchant_wallet'::text, 'in_settlement'::text, 'outside'::text, 'due_from_bank'::text, 'unallocated'::text, 'owed'::text, 'fees'::text]))),
  CONSTRAINT accounts_not_below_zero CHECK (((balance_pence >= 0) OR (kind = ANY (ARRAY['outside'::text, 'owed'::text, 'fees'::text])))),
  CONSTRAINT accounts_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
) WITH (fillfactor=45);
ALTER TABLE accounts ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON accounts AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON accounts AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON accounts TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON accounts TO recollect_api;

CREATE VIEW all_delivery_attempts WITH (security_invoker=true) AS
 SELECT deliveries.merchant_id,
    deliveries.delivery_id,
    1 AS number,
    false AS manual,
    deliveries.first_response_status AS response_status,
    deliveries.first_response_body AS response_body,
    NULL::text AS error,
    deliveries.first_duration_ms AS duration_ms,
    deliveries.first_at AS at
   FROM deliveries
  WHERE (deliveries.first_at IS NOT NULL)
UNION ALL
 SELECT delivery_attempts.merchant_id,
    delivery_attempts.delivery_id,
    delivery_attempts.number,
    delivery_attempts.manual,
    delivery_attempts.response_status,
    delivery_attempts.response_body,
    delivery_attempts.error,
    delivery_attempts.duration_ms,
    delivery_attempts.at
   FROM delivery_attempts;
GRANT SELECT ON all_delivery_attempts TO recollect_api;
GRANT SELECT ON all_delivery_attempts TO recollect_engine;

CREATE TABLE announced_occurrences (
  merchant_id text NOT NULL,
  schedule_id text NOT NULL,
  due_date timestamp with time zone NOT NULL,
  is_set boolean NOT NULL,
  amount_pence bigint,
  times integer NOT NULL,
  CONSTRAINT announced_occurrences_pkey PRIMARY KEY (merchant_id, schedule_id, due_date),
  CONSTRAINT announced_occurrences_amount_is_set CHECK ((is_set OR (amount_pence IS NULL))),
  CONSTRAINT announced_occurrences_counted CHECK ((times > 0))
);
ALTER TABLE announced_occurrences ENABLE ROW LEVEL SECURITY;
CREATE INDEX announced_occurrences_by_date ON public.announced_occurrences USING btree (merchant_id, due_date);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.announced_occurrences FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON announced_occurrences AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON announced_occurrences AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON announced_occurrences TO recollect_engine;

CREATE TABLE announcements (
  merchant_id text NOT NULL,
  days_ahead integer NOT NULL,
  due_at timestamp with time zone,
  claimed_by integer,
  CONSTRAINT announcements_pkey PRIMARY KEY (merchant_id),
  CONSTRAINT announcements_days_in_range CHECK (((days_ahead >= 1) AND (days_ahead <= 30))),
  CONSTRAINT announcements_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE announcements ENABLE ROW LEVEL SECURITY;
CREATE INDEX announcements_due ON public.announcements USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE POLICY one_merchant ON announcements AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON announcements AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON announcements TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON announcements TO recollect_engine;

CREATE TABLE api_key_limits (
  merchant_id text NOT NULL,
  limits_id text NOT NULL,
  per_act_pence bigint NOT NULL,
  per_day_pence bigint NOT NULL,
  spent_at timestamp with time zone NOT NULL,
  spent_pence bigint NOT NULL,
  CONSTRAINT api_key_limits_pkey PRIMARY KEY (merchant_id, limits_id),
  CONSTRAINT api_key_limits_kept CHECK ((spent_pence >= 0)),
  CONSTRAINT api_key_limits_not_negative CHECK (((per_act_pence >= 0) AND (per_day_pence >= per_act_pence))),
  CONSTRAINT api_key_limits_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE api_key_limits ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON api_key_limits AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON api_key_limits AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON api_key_limits TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON api_key_limits TO recollect_api;

CREATE TABLE api_keys (
  merchant_id text NOT NULL,
  key_id text NOT NULL,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  hint text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  scopes text[] NOT NULL,
  made_by text,
  allowed_ips text[],
  refused_at timestamp with time zone,
  refused_from text,
  limits_id text,
  CONSTRAINT api_keys_pkey PRIMARY KEY (merchant_id, key_id),
  CONSTRAINT api_keys_one_per_secret UNIQUE (merchant_id, secret_hash),
  CONSTRAINT api_keys_known_scopes CHECK (((scopes <@ '{schedules,payments,settlements,customers,webhooks,merchant,keys}'::text[]) AND (scopes <> '{}'::text[]))),
  CONSTRAINT api_keys_some_allowed_ips CHECK (((cardinality(allowed_ips) >= 1) AND (cardinality(allowed_ips) <= 50))),
  CONSTRAINT api_keys_whole_refusal CHECK ((num_nulls(refused_at, refused_from) = ANY (ARRAY[0, 2]))),
  CONSTRAINT api_keys_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
CREATE INDEX api_keys_made_by ON public.api_keys USING btree (merchant_id, made_by) WHERE (made_by IS NOT NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON api_keys AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON api_keys AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON api_keys TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON api_keys TO recollect_api;

CREATE TABLE archives (
  archive_id text NOT NULL,
  month date NOT NULL,
  horizon timestamp with time zone NOT NULL,
  folder text NOT NULL,
  started_by text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  runner text NOT NULL,
  leased_until timestamp with time zone NOT NULL,
  subjects integer NOT NULL DEFAULT 0,
  left_over integer NOT NULL DEFAULT 0,
  stayed text[] NOT NULL DEFAULT '{}'::text[],
  row_counts jsonb NOT NULL DEFAULT '{}'::jsonb,
  manifest_sha256 text,
  work_sha256 text,
  verified_at timestamp with time zone,
  ended_at timestamp with time zone,
  CONSTRAINT archives_pkey PRIMARY KEY (archive_id),
  CONSTRAINT archives_ended_once_verified CHECK (((ended_at IS NULL) OR (verified_at IS NOT NULL) OR (subjects = 0))),
  CONSTRAINT archives_month_begins CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  CONSTRAINT archives_verified_with_digests CHECK ((num_nulls(verified_at, manifest_sha256, work_sha256) = ANY (ARRAY[0, 3])))
);
CREATE UNIQUE INDEX archives_one_open ON public.archives USING btree ((true)) WHERE (ended_at IS NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON archives TO recollect_engine;
GRANT SELECT ON archives TO recollect_api;

CREATE TABLE attempts (
  merchant_id text NOT NULL,
  payment_id text NOT NULL,
  number integer NOT NULL,
  manual boolean NOT NULL,
  status text NOT NULL,
  bank_payment_id text,
  bank_status text,
  error_code text,
  error_message text,
  sent_at timestamp with time zone,
  pay_in_id text,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  claimed_at timestamp with time zone,
  pay_in_by text,
  consent_id text,
  CONSTRAINT attempts_pkey PRIMARY KEY (merchant_id, payment_id, number),
  CONSTRAINT attempts_known_pay_in_by CHECK ((pay_in_by = ANY (ARRAY['name'::text, 'amount'::text, 'person'::text]))),
  CONSTRAINT attempts_known_status CHECK ((status = ANY (ARRAY['started'::text, 'processing'::text, 'success'::text, 'failed'::text])))
) WITH (fillfactor=50);
ALTER TABLE attempts ENABLE ROW LEVEL SECURITY;
CREATE INDEX attempts_at_bank ON public.attempts USING btree (bank_payment_id) WHERE (bank_payment_id IS NOT NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.attempts FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON attempts AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON attempts AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON attempts TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON attempts TO recollect_api;

CREATE TABLE bank_condition_changes (
  bank_id text NOT NULL,
  at timestamp with time zone NOT NULL,
  condition text NOT NULL,
  CONSTRAINT bank_condition_changes_pkey PRIMARY KEY (bank_id, at),
  CONSTRAINT bank_condition_changes_known_condition CHECK ((condition = ANY (ARRAY['operational'::text, 'degraded'::text, 'down'::text])))
);
CREATE INDEX bank_condition_changes_by_time ON public.bank_condition_changes USING btree (at);
GRANT DELETE, INSERT, SELECT, UPDATE ON bank_condition_changes TO recollect_engine;

CREATE TABLE bank_conditions (
  bank_id text NOT NULL,
  operation text NOT NULL,
  condition text NOT NULL,
  since timestamp with time zone NOT NULL,
  recent text NOT NULL,
  answered_at timestamp with time zone,
  failed_at timestamp with time zone,
  failing_since timestamp with time zone,
  CONSTRAINT bank_conditions_pkey PRIMARY KEY (bank_id, operation),
  CONSTRAINT bank_conditions_known_calls CHECK ((recent ~ '^[.x]+$'::text)),
  CONSTRAINT bank_conditions_known_condition CHECK ((condition = ANY (ARRAY['operational'::text, 'degraded'::text, 'down'::text]))),
  CONSTRAINT bank_conditions_known_operation CHECK ((operation = ANY (ARRAY['consent'::text, 'token'::text, 'funds'::text, 'payment'::text, 'read'::text])))
);
GRANT DELETE, INSERT, SELECT, UPDATE ON bank_conditions TO recollect_engine;
GRANT SELECT ON bank_conditions TO recollect_api;

CREATE TABLE bank_distrusts (
  bank_id text NOT NULL,
  since timestamp with time zone NOT NULL,
  vanished integer NOT NULL,
  looked_at integer NOT NULL,
  ended_at timestamp with time zone,
  ended_by text,
  CONSTRAINT bank_distrusts_pkey PRIMARY KEY (bank_id, since)
);
CREATE UNIQUE INDEX bank_distrusts_open ON public.bank_distrusts USING btree (bank_id) WHERE (ended_at IS NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON bank_distrusts TO recollect_engine;

CREATE TABLE bank_grants (
  merchant_id text NOT NULL,
  consent_id text NOT NULL,
  bank_grant text NOT NULL,
  revision text,
  renewing_until timestamp with time zone,
  CONSTRAINT bank_grants_pkey PRIMARY KEY (merchant_id, consent_id),
  CONSTRAINT bank_grants_of_consent FOREIGN KEY (merchant_id, consent_id) REFERENCES consents(merchant_id, consent_id)
) WITH (fillfactor=50);
ALTER TABLE bank_grants ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.bank_grants FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON bank_grants AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON bank_grants AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON bank_grants TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON bank_grants TO recollect_engine;

CREATE TABLE bank_revocations (
  merchant_id text NOT NULL,
  bank_id text NOT NULL,
  bank_consent_id text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  claimed_by integer,
  CONSTRAINT bank_revocations_pkey PRIMARY KEY (merchant_id, bank_id, bank_consent_id)
);
ALTER TABLE bank_revocations ENABLE ROW LEVEL SECURITY;
CREATE INDEX bank_revocations_due ON public.bank_revocations USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.bank_revocations FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON bank_revocations AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON bank_revocations AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON bank_revocations TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON bank_revocations TO recollect_api;

CREATE TABLE bank_stops (
  bank_id text NOT NULL,
  since timestamp with time zone NOT NULL,
  given_by text NOT NULL,
  reason text NOT NULL,
  sequence bigint NOT NULL DEFAULT nextval('state_changes_change_id_seq'::regclass),
  ended_at timestamp with time zone,
  ended_by text,
  end_reason text,
  end_sequence bigint,
  CONSTRAINT bank_stops_pkey PRIMARY KEY (bank_id, since),
  CONSTRAINT bank_stops_whole_end CHECK ((num_nulls(ended_at, ended_by, end_reason, end_sequence) = ANY (ARRAY[0, 4])))
);
CREATE UNIQUE INDEX bank_stops_open ON public.bank_stops USING btree (bank_id) WHERE (ended_at IS NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON bank_stops TO recollect_engine;
GRANT SELECT (bank_id) ON bank_stops TO recollect_api;
GRANT SELECT (ended_at) ON bank_stops TO recollect_api;
GRANT SELECT (since) ON bank_stops TO recollect_api;

CREATE TABLE came_back_lines (
  merchant_id text NOT NULL,
  item_id text NOT NULL,
  amount_pence bigint NOT NULL,
  settle_at timestamp with time zone,
  settlement_id text,
  carried_by text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT came_back_lines_pkey PRIMARY KEY (merchant_id, item_id),
  CONSTRAINT came_back_lines_amount_above_zero CHECK ((amount_pence > 0)),
  CONSTRAINT came_back_lines_have_a_day CHECK ((settle_at IS NOT NULL)),
  CONSTRAINT came_back_lines_in_settlement FOREIGN KEY (merchant_id, settlement_id) REFERENCES settlements(merchant_id, settlement_id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT came_back_lines_of_item FOREIGN KEY (merchant_id, item_id) REFERENCES unallocated_items(merchant_id, item_id)
);
ALTER TABLE came_back_lines ENABLE ROW LEVEL SECURITY;
CREATE INDEX came_back_lines_due ON public.came_back_lines USING btree (settle_at) WHERE ((settlement_id IS NULL) AND (settle_at IS NOT NULL));
CREATE INDEX came_back_lines_to_net ON public.came_back_lines USING btree (merchant_id) WHERE (settlement_id IS NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.came_back_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON came_back_lines AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON came_back_lines AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON came_back_lines TO recollect_engine;
GRANT SELECT ON came_back_lines TO recollect_api;

CREATE TABLE carried_debts (
  merchant_id text NOT NULL,
  settlement_id text NOT NULL,
  debt_id text NOT NULL,
  CONSTRAINT carried_debts_pkey PRIMARY KEY (merchant_id, settlement_id, debt_id),
  CONSTRAINT carried_debts_in_settlement FOREIGN KEY (merchant_id, settlement_id) REFERENCES settlements(merchant_id, settlement_id),
  CONSTRAINT carried_debts_of_debt FOREIGN KEY (merchant_id, debt_id) REFERENCES debts(merchant_id, debt_id)
);
ALTER TABLE carried_debts ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON carried_debts AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON carried_debts AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON carried_debts TO recollect_engine;
GRANT SELECT ON carried_debts TO recollect_api;

CREATE TABLE carried_payments (
  merchant_id text NOT NULL,
  settlement_id text NOT NULL,
  payment_id text NOT NULL,
  CONSTRAINT carried_payments_pkey PRIMARY KEY (merchant_id, settlement_id, payment_id),
  CONSTRAINT carried_payments_in_settlement FOREIGN KEY (merchant_id, settlement_id) REFERENCES settlements(merchant_id, settlement_id),
  CONSTRAINT carried_payments_of_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments(merchant_id, payment_id)
);
ALTER TABLE carried_payments ENABLE ROW LEVEL SECURITY;
CREATE INDEX carried_payments_of_payment ON public.carried_payments USING btree (merchant_id, payment_id);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.carried_payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON carried_payments AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON carried_payments AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON carried_payments TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON carried_payments TO recollect_api;

CREATE TABLE carried_refund_lines (
  merchant_id text NOT NULL,
  settlement_id text NOT NULL,
  refund_id text NOT NULL,
  kind text NOT NULL,
  CONSTRAINT carried_refund_lines_pkey PRIMARY KEY (merchant_id, settlement_id, refund_id, kind),
  CONSTRAINT carried_refund_lines_in_settlement FOREIGN KEY (merchant_id, settlement_id) REFERENCES settlements(merchant_id, settlement_id),
  CONSTRAINT carried_refund_lines_of_line FOREIGN KEY (merchant_id, refund_id, kind) REFERENCES refund_lines(merchant_id, refund_id, kind)
);
ALTER TABLE carried_refund_lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON carried_refund_lines AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON carried_refund_lines AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON carried_refund_lines TO recollect_engine;
GRANT SELECT ON carried_refund_lines TO recollect_api;

CREATE TABLE coming_announcements (
  merchant_id text NOT NULL,
  days_ahead integer NOT NULL,
  due_at timestamp with time zone NOT NULL,
  claimed_by integer,
  CONSTRAINT coming_announcements_pkey PRIMARY KEY (merchant_id),
  CONSTRAINT coming_announcements_days_in_range CHECK (((days_ahead >= 1) AND (days_ahead <= 30))),
  CONSTRAINT coming_announcements_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE coming_announcements ENABLE ROW LEVEL SECURITY;
CREATE INDEX coming_announcements_due ON public.coming_announcements USING btree (due_at);
CREATE POLICY one_merchant ON coming_announcements AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON coming_announcements AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON coming_announcements TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON coming_announcements TO recollect_engine;

CREATE TABLE consent_limit_changes (
  merchant_id text NOT NULL,
  consent_id text NOT NULL,
  at timestamp with time zone NOT NULL,
  before jsonb NOT NULL,
  after jsonb NOT NULL,
  CONSTRAINT consent_limit_changes_pkey PRIMARY KEY (merchant_id, consent_id, at),
  CONSTRAINT consent_limit_changes_of_consent FOREIGN KEY (merchant_id, consent_id) REFERENCES consents(merchant_id, consent_id)
);
ALTER TABLE consent_limit_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON consent_limit_changes AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON consent_limit_changes AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT INSERT, SELECT ON consent_limit_changes TO recollect_engine;
GRANT SELECT ON consent_limit_changes TO recollect_api;

CREATE TABLE consent_looks (
  merchant_id text NOT NULL,
  consent_id text NOT NULL,
  at timestamp with time zone NOT NULL,
  bank_id text NOT NULL,
  said text NOT NULL,
  evidence text NOT NULL,
  CONSTRAINT consent_looks_pkey PRIMARY KEY (merchant_id, consent_id, at),
  CONSTRAINT consent_looks_known_said CHECK ((said = ANY (ARRAY['over'::text, 'stands'::text]))),
  CONSTRAINT consent_looks_of_consent FOREIGN KEY (merchant_id, consent_id) REFERENCES consents(merchant_id, consent_id)
);
GRANT INSERT, SELECT ON consent_looks TO recollect_engine;

CREATE TABLE consents (
  merchant_id text NOT NULL,
  consent_id text NOT NULL,
  schedule_id text NOT NULL,
  customer_id text NOT NULL,
  terms_version integer NOT NULL,
  status text NOT NULL,
  link_hash bytea NOT NULL,
  link text NOT NULL,
  link_expires_at timestamp with time zone NOT NULL,
  wallet_id text,
  bank_id text,
  bank_consent_id text,
  initiation text,
  control_parameters jsonb,
  state_hash bytea,
  nonce text,
  due_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  granted_at timestamp with time zone,
  ended_at timestamp with time zone,
  left_state_hash bytea,
  left_terms_version integer,
  paying_account text,
  paying_account_ending text,
  looked_at timestamp with time zone,
  doubted_at timestamp with time zone,
  look_again_at timestamp with time zone,
  look_tries integer NOT NULL DEFAULT 0,
  suspended_at timestamp with time zone,
  limits_changed_at timestamp with time zone,
  confirm_asked_at timestamp with time zone,
  confirm_state_hash bytea,
  confirm_nonce text,
  claimed_by integer,
  another_account boolean NOT NULL DEFAULT false,
  unused_since timestamp with time zone,
  agreed_at timestamp with time zone,
  CONSTRAINT consents_pkey PRIMARY KEY (merchant_id, consent_id),
  CONSTRAINT consents_one_per_link UNIQUE (merchant_id, link_hash),
  CONSTRAINT consents_granted_have_bank_consent CHECK (((status <> 'granted'::text) OR ((bank_consent_id IS NOT NULL) AND (control_parameters IS NOT NULL)))),
  CONSTRAINT consents_known_status CHECK ((status = ANY (ARRAY['pending'::text, 'authorising'::text, 'authorised'::text, 'granted'::text, 'denied'::text, 'expired'::text, 'rejected'::text, 'revoked'::text, 'replaced'::text, 'dropped'::text]))),
  CONSTRAINT consents_left_with_terms CHECK (((left_state_hash IS NULL) = (left_terms_version IS NULL))),
  CONSTRAINT consents_paying_account_ending_four_digits CHECK ((paying_account_ending ~ '^[0-9]{4}$'::text)),
  CONSTRAINT consents_paying_account_whole CHECK (((paying_account IS NULL) = (paying_account_ending IS NULL))),
  CONSTRAINT consents_of_terms FOREIGN KEY (merchant_id, schedule_id, terms_version) REFERENCES schedule_terms(merchant_id, schedule_id, version),
  CONSTRAINT consents_of_wallet FOREIGN KEY (merchant_id, wallet_id) REFERENCES wallets(merchant_id, wallet_id)
);
ALTER TABLE consents ENABLE ROW LEVEL SECURITY;
CREATE INDEX consents_authorised_due ON public.consents USING btree (due_at) WHERE ((status = 'authorised'::text) AND (due_at IS NOT NULL));
CREATE INDEX consents_granted_of_customer ON public.consents USING btree (merchant_id, customer_id) WHERE (status = 'granted'::text);
CREATE INDEX consents_in_doubt ON public.consents USING btree (bank_id) WHERE ((doubted_at IS NOT NULL) AND (status = 'granted'::text));
CREATE INDEX consents_left_state ON public.consents USING btree (merchant_id, left_state_hash) WHERE (left_state_hash IS NOT NULL);
CREATE INDEX consents_look_again ON public.consents USING btree (look_again_at) WHERE (look_again_at IS NOT NULL);
CREATE INDEX consents_looked_at ON public.consents USING btree (bank_id, looked_at) WHERE (looked_at IS NOT NULL);
CREATE INDEX consents_of_bank ON public.consents USING btree (bank_consent_id) WHERE (bank_consent_id IS NOT NULL);
CREATE INDEX consents_of_schedule ON public.consents USING btree (merchant_id, schedule_id);
CREATE INDEX consents_of_wallet ON public.consents USING btree (merchant_id, wallet_id) WHERE (wallet_id IS NOT NULL);
CREATE UNIQUE INDEX consents_one_granted_per_schedule ON public.consents USING btree (merchant_id, schedule_id) WHERE (status = 'granted'::text);
CREATE UNIQUE INDEX consents_one_open_per_schedule ON public.consents USING btree (merchant_id, schedule_id) WHERE (status = ANY (ARRAY['pending'::text, 'authorising'::text, 'authorised'::text]));
CREATE UNIQUE INDEX consents_one_per_confirm_state ON public.consents USING btree (merchant_id, confirm_state_hash) WHERE (confirm_state_hash IS NOT NULL);
CREATE UNIQUE INDEX consents_one_per_state ON public.consents USING btree (merchant_id, state_hash) WHERE (state_hash IS NOT NULL);
CREATE INDEX consents_open_due ON public.consents USING btree (due_at) WHERE ((status = ANY (ARRAY['pending'::text, 'authorising'::text])) AND (due_at IS NOT NULL));
CREATE INDEX consents_suspended ON public.consents USING btree (merchant_id, suspended_at) WHERE (suspended_at IS NOT NULL);
CREATE INDEX consents_unused ON public.consents USING btree (COALESCE(unused_since, granted_at)) WHERE (status = 'granted'::text);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.consents FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON consents AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON consents AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON consents TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON consents TO recollect_api;

CREATE TABLE credentials (
  id text NOT NULL,
  user_id text NOT NULL,
  provider_id text NOT NULL,
  account_id text NOT NULL,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT credentials_pkey PRIMARY KEY (id),
  CONSTRAINT credentials_one_per_provider UNIQUE (user_id, provider_id, account_id),
  CONSTRAINT credentials_of_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.credentials FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON credentials TO recollect_engine;

CREATE TABLE customer_words (
  merchant_id text NOT NULL,
  word bytea NOT NULL,
  customer_id text NOT NULL,
  CONSTRAINT customer_words_pkey PRIMARY KEY (merchant_id, word, customer_id),
  CONSTRAINT customer_words_of_customer FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, customer_id)
);
ALTER TABLE customer_words ENABLE ROW LEVEL SECURITY;
CREATE INDEX customer_words_by_customer ON public.customer_words USING btree (merchant_id, customer_id);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.customer_words FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON customer_words AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON customer_words AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT ON customer_words TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON customer_words TO recollect_engine;

CREATE TABLE customers (
  merchant_id text NOT NULL,
  customer_id text NOT NULL,
  phone text,
  phone_index bytea,
  bank_account text,
  bank_account_index bytea,
  created_at timestamp with time zone NOT NULL,
  name text,
  email text,
  reference text,
  notes text,
  erased_at timestamp with time zone,
  kept_since timestamp with time zone,
  CONSTRAINT customers_pkey PRIMARY KEY (merchant_id, customer_id),
  CONSTRAINT customers_erased_hold_nothing CHECK (((erased_at IS NULL) OR (num_nonnulls(phone, phone_index, bank_account, bank_account_index, name, email, reference, notes) = 0))),
  CONSTRAINT customers_phone_or_bank_account CHECK (((phone IS NOT NULL) OR (bank_account IS NOT NULL) OR (erased_at IS NOT NULL))),
  CONSTRAINT customers_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE customers ENABLE ROW LEVEL SECURITY;
CREATE INDEX customers_by_end ON public.customers USING btree (COALESCE(kept_since, created_at)) WHERE (erased_at IS NULL);
CREATE INDEX customers_newest ON public.customers USING btree (merchant_id, created_at DESC, customer_id DESC);
CREATE UNIQUE INDEX customers_one_per_bank_account ON public.customers USING btree (merchant_id, bank_account_index) WHERE (bank_account_index IS NOT NULL);
CREATE UNIQUE INDEX customers_one_per_phone ON public.customers USING btree (merchant_id, phone_index) WHERE (phone_index IS NOT NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.customers FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON customers AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON customers AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON customers TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON customers TO recollect_api;

CREATE TABLE debts (
  merchant_id text NOT NULL,
  debt_id text NOT NULL,
  movement_id text NOT NULL,
  payment_id text,
  amount_pence bigint NOT NULL,
  reason text NOT NULL,
  issuer_account text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  settlement_id text,
  netted_at timestamp with time zone,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone,
  covered_at timestamp with time zone,
  wallet_id text,
  claimed_by integer,
  CONSTRAINT debts_pkey PRIMARY KEY (merchant_id, debt_id),
  CONSTRAINT debts_once_per_recall_and_wallet UNIQUE NULLS NOT DISTINCT (merchant_id, movement_id, wallet_id),
  CONSTRAINT debts_amount_above_zero CHECK ((amount_pence > 0)),
  CONSTRAINT debts_due_until_covered CHECK (((due_at IS NOT NULL) = ((netted_at IS NOT NULL) AND (covered_at IS NULL)))),
  CONSTRAINT debts_have_a_source CHECK (((payment_id IS NULL) = (wallet_id IS NOT NULL))),
  CONSTRAINT debts_of_wallets_are_not_netted CHECK (((wallet_id IS NULL) OR (settlement_id IS NULL))),
  CONSTRAINT debts_netted_in_settlement FOREIGN KEY (merchant_id, settlement_id) REFERENCES settlements(merchant_id, settlement_id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT debts_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id),
  CONSTRAINT debts_of_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments(merchant_id, payment_id),
  CONSTRAINT debts_of_wallet FOREIGN KEY (merchant_id, wallet_id) REFERENCES wallets(merchant_id, wallet_id)
);
ALTER TABLE debts ENABLE ROW LEVEL SECURITY;
CREATE INDEX debts_due ON public.debts USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX debts_of_settlement ON public.debts USING btree (merchant_id, settlement_id);
CREATE INDEX debts_of_wallets ON public.debts USING btree (merchant_id, wallet_id) WHERE (wallet_id IS NOT NULL);
CREATE POLICY one_merchant ON debts AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON debts AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON debts TO recollect_engine;
GRANT SELECT ON debts TO recollect_api;

CREATE TABLE deliveries (
  merchant_id text NOT NULL,
  delivery_id text NOT NULL,
  event_id text NOT NULL,
  endpoint_id text NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  first_at timestamp with time zone,
  first_response_status integer,
  first_response_body text,
  first_duration_ms integer,
  claimed_by integer,
  CONSTRAINT deliveries_pkey PRIMARY KEY (merchant_id, delivery_id),
  CONSTRAINT deliveries_one_per_event_and_endpoint UNIQUE (merchant_id, event_id, endpoint_id),
  CONSTRAINT deliveries_due_while_pending CHECK (((status = 'pending'::text) = (due_at IS NOT NULL))),
  CONSTRAINT deliveries_first_attempt_whole CHECK ((num_nulls(first_at, first_response_status, first_response_body, first_duration_ms) = ANY (ARRAY[0, 4]))),
  CONSTRAINT deliveries_known_status CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'held'::text]))),
  CONSTRAINT deliveries_of_event FOREIGN KEY (merchant_id, event_id) REFERENCES events(merchant_id, event_id)
);
ALTER TABLE deliveries ENABLE ROW LEVEL SECURITY;
CREATE INDEX deliveries_due ON public.deliveries USING btree (merchant_id, endpoint_id, due_at, event_id) WHERE (due_at IS NOT NULL);
CREATE INDEX deliveries_first_at ON public.deliveries USING btree (merchant_id, first_at) WHERE (first_at IS NOT NULL);
CREATE INDEX deliveries_next ON public.deliveries USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX deliveries_not_acknowledged ON public.deliveries USING btree (merchant_id, event_id) WHERE (status = ANY (ARRAY['failed'::text, 'held'::text]));
CREATE INDEX deliveries_to_take_up ON public.deliveries USING btree (merchant_id, endpoint_id, event_id) WHERE ((status = 'held'::text) AND (attempts > 0));
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.deliveries FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON deliveries AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON deliveries AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON deliveries TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON deliveries TO recollect_api;

CREATE TABLE delivery_attempts (
  merchant_id text NOT NULL,
  delivery_id text NOT NULL,
  number integer NOT NULL,
  manual boolean NOT NULL,
  response_status integer,
  response_body text,
  error text,
  duration_ms integer NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT delivery_attempts_pkey PRIMARY KEY (merchant_id, delivery_id, number),
  CONSTRAINT delivery_attempts_of_delivery FOREIGN KEY (merchant_id, delivery_id) REFERENCES deliveries(merchant_id, delivery_id)
);
ALTER TABLE delivery_attempts ENABLE ROW LEVEL SECURITY;
CREATE INDEX delivery_attempts_at ON public.delivery_attempts USING btree (merchant_id, at);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.delivery_attempts FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON delivery_attempts AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON delivery_attempts AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON delivery_attempts TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON delivery_attempts TO recollect_api;

CREATE TABLE deployment (
  only_row boolean NOT NULL DEFAULT true,
  deployment_id text NOT NULL,
  mode text NOT NULL,
  stamped_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT deployment_pkey PRIMARY KEY (only_row),
  CONSTRAINT deployment_known_mode CHECK ((mode = ANY (ARRAY['sandbox'::text, 'live'::text]))),
  CONSTRAINT deployment_one_row CHECK (only_row)
);
CREATE TRIGGER deployment_never_changes BEFORE DELETE OR UPDATE OR TRUNCATE ON public.deployment FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_the_stamp();
GRANT DELETE, INSERT, SELECT, UPDATE ON deployment TO recollect_engine;

CREATE TABLE deployment_keys (
  purpose text NOT NULL,
  key_id text NOT NULL,
  check_value bytea NOT NULL,
  stamped_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT deployment_keys_pkey PRIMARY KEY (purpose, key_id),
  CONSTRAINT deployment_keys_known_purpose CHECK ((purpose = ANY (ARRAY['encryption'::text, 'blind_index'::text])))
);
CREATE TRIGGER deployment_keys_never_change BEFORE UPDATE OR TRUNCATE ON public.deployment_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_the_stamp();
GRANT DELETE, INSERT, SELECT, UPDATE ON deployment_keys TO recollect_engine;

CREATE TABLE disputes (
  merchant_id text NOT NULL,
  dispute_id text NOT NULL,
  payment_id text NOT NULL,
  schedule_id text NOT NULL,
  raised_by text NOT NULL,
  reason text NOT NULL,
  amount_pence bigint NOT NULL,
  currency text NOT NULL,
  note text,
  status text NOT NULL,
  deadline_at timestamp with time zone NOT NULL,
  returned_before_pence bigint NOT NULL,
  refund_id text,
  returned_pence bigint,
  answer text,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  refunds_before text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT disputes_pkey PRIMARY KEY (merchant_id, dispute_id),
  CONSTRAINT disputes_amount_above_zero CHECK ((amount_pence > 0)),
  CONSTRAINT disputes_ended_unless_open CHECK (((status = 'open'::text) = (ended_at IS NULL))),
  CONSTRAINT disputes_known_raised_by CHECK ((raised_by = ANY (ARRAY['customer'::text, 'merchant'::text]))),
  CONSTRAINT disputes_known_status CHECK ((status = ANY (ARRAY['open'::text, 'refunded'::text, 'returned'::text, 'rejected'::text, 'withdrawn'::text]))),
  CONSTRAINT disputes_refund_when_refunded CHECK (((refund_id IS NULL) OR (status = ANY (ARRAY['open'::text, 'refunded'::text])))) NOT VALID,
  CONSTRAINT disputes_returned_when_refunded CHECK (((status = ANY (ARRAY['refunded'::text, 'returned'::text])) = (returned_pence IS NOT NULL))),
  CONSTRAINT disputes_of_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments(merchant_id, payment_id)
);
ALTER TABLE disputes ENABLE ROW LEVEL SECURITY;
CREATE INDEX disputes_by_payment ON public.disputes USING btree (merchant_id, payment_id);
CREATE INDEX disputes_newest ON public.disputes USING btree (merchant_id, created_at DESC, dispute_id DESC);
CREATE UNIQUE INDEX disputes_one_at_once ON public.disputes USING btree (merchant_id, payment_id) WHERE (status = ANY (ARRAY['open'::text, 'refunded'::text, 'returned'::text]));
CREATE INDEX disputes_open ON public.disputes USING btree (deadline_at, merchant_id, dispute_id) WHERE (status = 'open'::text);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.disputes FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON disputes AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON disputes AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON disputes TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON disputes TO recollect_api;

CREATE TABLE engine_heartbeats (
  process_id integer NOT NULL,
  beat_at timestamp with time zone NOT NULL,
  CONSTRAINT engine_heartbeats_pkey PRIMARY KEY (process_id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON engine_heartbeats TO recollect_engine;

CREATE TABLE events (
  merchant_id text NOT NULL,
  event_id text NOT NULL,
  kind text NOT NULL,
  schedule_id text,
  sequence integer,
  subject_id text NOT NULL,
  body text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  position bigint DEFAULT nextval(
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN 'event_positions'::regclass
    ELSE NULL::regclass
END),
  CONSTRAINT events_pkey PRIMARY KEY (merchant_id, event_id),
  CONSTRAINT events_one_per_sequence_number UNIQUE (merchant_id, schedule_id, sequence)
);
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
CREATE INDEX events_in_feed_order ON public.events USING btree (merchant_id, "position") WHERE ("position" IS NOT NULL);
CREATE INDEX events_newest ON public.events USING btree (merchant_id, created_at DESC, event_id DESC);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON events AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON events AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT INSERT, SELECT ON events TO recollect_api;
GRANT INSERT, SELECT ON events TO recollect_engine;

CREATE TABLE events_without_endpoint (
  merchant_id text NOT NULL,
  event_id text NOT NULL,
  CONSTRAINT events_without_endpoint_pkey PRIMARY KEY (merchant_id, event_id)
);
ALTER TABLE events_without_endpoint ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.events_without_endpoint FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON events_without_endpoint AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON events_without_endpoint AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON events_without_endpoint TO recollect_engine;
GRANT INSERT, SELECT ON events_without_endpoint TO recollect_api;

CREATE TABLE fee_transfers (
  merchant_id text NOT NULL,
  settlement_id text NOT NULL,
  fees_pence bigint NOT NULL,
  order_pence bigint NOT NULL,
  taken_pence bigint,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  claimed_by integer,
  CONSTRAINT fee_transfers_pkey PRIMARY KEY (merchant_id, settlement_id),
  CONSTRAINT fee_transfers_due_until_taken CHECK (((due_at IS NULL) = (taken_pence IS NOT NULL))),
  CONSTRAINT fee_transfers_fees_above_zero CHECK ((fees_pence > 0)),
  CONSTRAINT fee_transfers_order_not_below_zero CHECK ((order_pence >= 0)),
  CONSTRAINT fee_transfers_of_settlement FOREIGN KEY (merchant_id, settlement_id) REFERENCES settlements(merchant_id, settlement_id)
);
ALTER TABLE fee_transfers ENABLE ROW LEVEL SECURITY;
CREATE INDEX fee_transfers_due ON public.fee_transfers USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.fee_transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON fee_transfers AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON fee_transfers AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON fee_transfers TO recollect_engine;

CREATE TABLE fee_wallet (
  only_one boolean NOT NULL DEFAULT true,
  issuer_wallet_id text NOT NULL,
  counted_to timestamp with time zone,
  owners_pence bigint NOT NULL DEFAULT 0,
  CONSTRAINT fee_wallet_pkey PRIMARY KEY (only_one),
  CONSTRAINT fee_wallet_is_one CHECK (only_one)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON fee_wallet TO recollect_engine;

CREATE TABLE former_addresses (
  merchant_id text NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT former_addresses_pkey PRIMARY KEY (merchant_id, email),
  CONSTRAINT former_addresses_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE former_addresses ENABLE ROW LEVEL SECURITY;
CREATE INDEX former_addresses_age ON public.former_addresses USING btree (until);
CREATE POLICY one_merchant ON former_addresses AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON former_addresses AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON former_addresses TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON former_addresses TO recollect_engine;

CREATE TABLE idempotency_keys (
  merchant_id text NOT NULL,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  response_status integer NOT NULL,
  response_body text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  meaning_hash bytea,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (merchant_id, key)
);
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.idempotency_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON idempotency_keys AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON idempotency_keys AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON idempotency_keys TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON idempotency_keys TO recollect_engine;

CREATE TABLE identities (
  merchant_id text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id text NOT NULL,
  linked_at timestamp with time zone NOT NULL,
  CONSTRAINT identities_pkey PRIMARY KEY (merchant_id, issuer, subject),
  CONSTRAINT identities_one_per_member UNIQUE (merchant_id, user_id),
  CONSTRAINT identities_of_member FOREIGN KEY (merchant_id, user_id) REFERENCES members(merchant_id, user_id) ON DELETE CASCADE,
  CONSTRAINT identities_of_provider FOREIGN KEY (merchant_id, issuer) REFERENCES identity_providers(merchant_id, issuer) ON DELETE CASCADE
);
ALTER TABLE identities ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON identities AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON identities AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON identities TO recollect_engine;
GRANT DELETE, SELECT ON identities TO recollect_api;

CREATE TABLE identity_providers (
  merchant_id text NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  client_secret text NOT NULL,
  is_required boolean NOT NULL DEFAULT false,
  CONSTRAINT identity_providers_pkey PRIMARY KEY (merchant_id),
  CONSTRAINT identity_providers_named_by_issuer UNIQUE (merchant_id, issuer),
  CONSTRAINT identity_providers_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE identity_providers ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON identity_providers AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON identity_providers AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON identity_providers TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON identity_providers TO recollect_engine;

CREATE TABLE imported_lines (
  merchant_id text NOT NULL,
  line_key bytea NOT NULL,
  content bytea NOT NULL,
  schedule_id text NOT NULL,
  imported_at timestamp with time zone NOT NULL,
  CONSTRAINT imported_lines_pkey PRIMARY KEY (merchant_id, line_key),
  CONSTRAINT imported_lines_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules(merchant_id, schedule_id)
);
ALTER TABLE imported_lines ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.imported_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON imported_lines AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON imported_lines AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT INSERT, SELECT ON imported_lines TO recollect_api;
GRANT INSERT, SELECT ON imported_lines TO recollect_engine;

CREATE TABLE inbox (
  source text NOT NULL,
  notification_id text NOT NULL,
  body text NOT NULL,
  received_at timestamp with time zone NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone,
  waiting_since timestamp with time zone,
  claimed_by integer,
  CONSTRAINT inbox_pkey PRIMARY KEY (source, notification_id)
);
CREATE INDEX inbox_by_wallet ON public.inbox USING btree ("substring"(body, '"externalReference": ?"([^"]*)"'::text)) WHERE (source = 'issuer'::text);
CREATE INDEX inbox_done ON public.inbox USING btree (received_at) WHERE (due_at IS NULL);
CREATE INDEX inbox_due ON public.inbox USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX inbox_waiting ON public.inbox USING btree (source, waiting_since) WHERE ((waiting_since IS NOT NULL) AND (due_at IS NOT NULL));
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.inbox FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON inbox TO recollect_engine;

CREATE TABLE invitations (
  merchant_id text NOT NULL,
  invitation_id text NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  token_hash bytea NOT NULL,
  invited_by text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  accepted_at timestamp with time zone,
  by_operator boolean NOT NULL,
  inviter_id text,
  CONSTRAINT invitations_pkey PRIMARY KEY (merchant_id, invitation_id),
  CONSTRAINT invitations_one_per_token UNIQUE (merchant_id, token_hash),
  CONSTRAINT invitations_email_lower_case CHECK ((email = lower(email))),
  CONSTRAINT invitations_inviter_known CHECK ((by_operator = (inviter_id IS NULL))),
  CONSTRAINT invitations_known_role CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'finance'::text, 'read_only'::text]))),
  CONSTRAINT invitations_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX invitations_open ON public.invitations USING btree (merchant_id, email) WHERE (accepted_at IS NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.invitations FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON invitations AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON invitations AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT ON invitations TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON invitations TO recollect_engine;

CREATE TABLE law_breaches (
  law text NOT NULL,
  noun text NOT NULL,
  merchant_id text NOT NULL,
  id text NOT NULL,
  what text NOT NULL,
  CONSTRAINT law_breaches_pkey PRIMARY KEY (law, noun, merchant_id, id, what)
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.law_breaches FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON law_breaches TO recollect_engine;

CREATE TABLE law_findings (
  law text NOT NULL,
  sentence text NOT NULL,
  holds boolean,
  checked_at timestamp with time zone NOT NULL,
  unknown_since timestamp with time zone,
  detail text,
  unknown_reason text,
  CONSTRAINT law_findings_pkey PRIMARY KEY (law)
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.law_findings FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON law_findings TO recollect_engine;
GRANT SELECT (checked_at) ON law_findings TO recollect_api;
GRANT SELECT (holds) ON law_findings TO recollect_api;
GRANT SELECT (law) ON law_findings TO recollect_api;
GRANT SELECT (sentence) ON law_findings TO recollect_api;
GRANT SELECT (unknown_reason) ON law_findings TO recollect_api;
GRANT SELECT (unknown_since) ON law_findings TO recollect_api;

CREATE TABLE law_marks (
  only_one boolean NOT NULL DEFAULT true,
  change_id bigint NOT NULL,
  next_change_id bigint NOT NULL,
  next_xid xid8 NOT NULL,
  CONSTRAINT law_marks_pkey PRIMARY KEY (only_one),
  CONSTRAINT law_marks_one_row CHECK (only_one)
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.law_marks FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON law_marks TO recollect_engine;

CREATE TABLE law_rounds (
  noun text NOT NULL,
  began_at timestamp with time zone NOT NULL,
  after_merchant text NOT NULL,
  after_id text NOT NULL,
  rows_read bigint NOT NULL,
  rows_before bigint NOT NULL,
  CONSTRAINT law_rounds_pkey PRIMARY KEY (noun)
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.law_rounds FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON law_rounds TO recollect_engine;

CREATE TABLE let_ins (
  let_in_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  person_id text NOT NULL,
  by_id text NOT NULL,
  how text NOT NULL,
  merchant_id text,
  at timestamp with time zone NOT NULL,
  is_trusted boolean NOT NULL DEFAULT false,
  role text,
  CONSTRAINT let_ins_pkey PRIMARY KEY (let_in_id),
  CONSTRAINT let_ins_by_another CHECK ((person_id <> by_id)),
  CONSTRAINT let_ins_known_how CHECK ((how = ANY (ARRAY['invited'::text, 'promoted'::text, 'made'::text, 'reset'::text, 'password'::text, 'second_factor'::text, 'key'::text, 'identity'::text])))
);
ALTER TABLE let_ins ENABLE ROW LEVEL SECURITY;
CREATE INDEX let_ins_of_merchant ON public.let_ins USING btree (merchant_id);
CREATE INDEX let_ins_of_person ON public.let_ins USING btree (person_id);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.let_ins FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON let_ins AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON let_ins AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT INSERT, SELECT ON let_ins TO recollect_api;
GRANT INSERT, SELECT ON let_ins TO recollect_engine;

CREATE TABLE members (
  merchant_id text NOT NULL,
  user_id text NOT NULL,
  role text NOT NULL,
  joined_at timestamp with time zone NOT NULL,
  confirms_from timestamp with time zone,
  leaves_at timestamp with time zone,
  leaves_as text,
  leaves_by text,
  keys_go_to text,
  due_at timestamp with time zone,
  CONSTRAINT members_pkey PRIMARY KEY (merchant_id, user_id),
  CONSTRAINT members_known_role CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'finance'::text, 'read_only'::text]))),
  CONSTRAINT members_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id),
  CONSTRAINT members_of_user FOREIGN KEY (user_id) REFERENCES users(id)
);
ALTER TABLE members ENABLE ROW LEVEL SECURITY;
CREATE INDEX members_due ON public.members USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX members_of_user ON public.members USING btree (user_id);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.members FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON members AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON members AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON members TO recollect_engine;
GRANT DELETE, SELECT, UPDATE ON members TO recollect_api;

CREATE TABLE merchant_fees (
  merchant_id text NOT NULL,
  from_at timestamp with time zone NOT NULL,
  fixed_pence bigint NOT NULL,
  basis_points integer NOT NULL,
  set_by text NOT NULL,
  set_at timestamp with time zone NOT NULL,
  CONSTRAINT merchant_fees_pkey PRIMARY KEY (merchant_id, from_at),
  CONSTRAINT merchant_fees_fixed_not_below_zero CHECK ((fixed_pence >= 0)),
  CONSTRAINT merchant_fees_share_of_payment CHECK (((basis_points >= 0) AND (basis_points <= 10000))),
  CONSTRAINT merchant_fees_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE merchant_fees ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.merchant_fees FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON merchant_fees AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON merchant_fees AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON merchant_fees TO recollect_engine;
GRANT SELECT ON merchant_fees TO recollect_api;

CREATE TABLE merchant_holds (
  merchant_id text NOT NULL,
  kind text NOT NULL,
  since timestamp with time zone NOT NULL,
  given_by text NOT NULL,
  reason text NOT NULL,
  sequence bigint NOT NULL DEFAULT nextval('state_changes_change_id_seq'::regclass),
  ended_at timestamp with time zone,
  ended_by text,
  end_reason text,
  end_sequence bigint,
  ends_at timestamp with time zone,
  CONSTRAINT merchant_holds_pkey PRIMARY KEY (merchant_id, kind, since),
  CONSTRAINT merchant_holds_known_kind CHECK ((kind = ANY (ARRAY['suspended'::text, 'pay_outs'::text, 'account_changed'::text]))),
  CONSTRAINT merchant_holds_whole_end CHECK ((num_nulls(ended_at, ended_by, end_reason, end_sequence) = ANY (ARRAY[0, 4]))),
  CONSTRAINT merchant_holds_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE merchant_holds ENABLE ROW LEVEL SECURITY;
CREATE INDEX merchant_holds_ending ON public.merchant_holds USING btree (ends_at) WHERE ((ended_at IS NULL) AND (ends_at IS NOT NULL));
CREATE UNIQUE INDEX merchant_holds_open ON public.merchant_holds USING btree (merchant_id, kind) WHERE (ended_at IS NULL);
CREATE POLICY ends_account_holds ON merchant_holds AS RESTRICTIVE FOR UPDATE TO recollect_api USING ((kind = 'account_changed'::text));
CREATE POLICY gives_account_holds ON merchant_holds AS RESTRICTIVE FOR INSERT TO recollect_api WITH CHECK ((kind = 'account_changed'::text));
CREATE POLICY one_merchant ON merchant_holds AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON merchant_holds AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON merchant_holds TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON merchant_holds TO recollect_api;

CREATE TABLE merchant_looks (
  merchant_id text NOT NULL,
  colour text,
  logo bytea,
  logo_type text,
  logo_hash text,
  logo_width integer,
  logo_height integer,
  CONSTRAINT merchant_looks_pkey PRIMARY KEY (merchant_id),
  CONSTRAINT merchant_looks_colour_is_rgb CHECK ((colour ~ '^#[0-9a-f]{6}$'::text)),
  CONSTRAINT merchant_looks_known_type CHECK ((logo_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text]))),
  CONSTRAINT merchant_looks_logo_is_small CHECK ((octet_length(logo) <= 102400)),
  CONSTRAINT merchant_looks_whole_logo CHECK ((num_nulls(logo, logo_type, logo_hash, logo_width, logo_height) = ANY (ARRAY[0, 5]))),
  CONSTRAINT merchant_looks_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE merchant_looks ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON merchant_looks AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON merchant_looks AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON merchant_looks TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON merchant_looks TO recollect_api;

CREATE TABLE merchants (
  merchant_id text NOT NULL,
  name text NOT NULL,
  legal_name text NOT NULL,
  email text NOT NULL,
  website text NOT NULL,
  address text NOT NULL,
  terms text NOT NULL,
  time_zone text NOT NULL DEFAULT 'Europe/London'::text,
  return_url text,
  reuse_consent boolean NOT NULL DEFAULT false,
  settlement_account text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  refunds_wait boolean NOT NULL DEFAULT false,
  use_case text,
  category_code text,
  payment_context text NOT NULL DEFAULT 'merchant_initiated'::text,
  purpose_code text,
  statement_name text,
  CONSTRAINT merchants_pkey PRIMARY KEY (merchant_id),
  CONSTRAINT merchants_id_well_formed CHECK ((merchant_id ~ '^mer_[0-9A-Za-z]{22}$'::text)),
  CONSTRAINT merchants_name_not_empty CHECK ((name <> ''::text)),
  CONSTRAINT merchants_statement_name_fits CHECK ((statement_name ~ '^[A-Z0-9]{1,10}$'::text))
);
ALTER TABLE merchants ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.merchants FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON merchants AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON merchants AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON merchants TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON merchants TO recollect_api;

CREATE TABLE migrations (
  name text NOT NULL,
  sha256 text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  needs text,
  CONSTRAINT migrations_pkey PRIMARY KEY (name)
);
GRANT SELECT ON migrations TO recollect_engine;

CREATE VIEW notice_readers WITH (security_barrier=true) AS
 SELECT m.merchant_id,
    m.user_id,
    m.role,
    u.name,
    u.email
   FROM (members m
     JOIN users u ON ((u.id = m.user_id)))
  WHERE ((CURRENT_USER = 'recollect_engine'::name) OR (m.merchant_id = current_setting('recollect.merchant_id'::text, true)));
GRANT SELECT ON notice_readers TO recollect_api;
GRANT SELECT ON notice_readers TO recollect_engine;

CREATE TABLE notices (
  merchant_id text NOT NULL,
  notice_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  cause_id text NOT NULL,
  reader_index bytea NOT NULL,
  content text NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone,
  error text,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  schedule_id text,
  customer_id text,
  claimed_by integer,
  CONSTRAINT notices_pkey PRIMARY KEY (merchant_id, notice_id),
  CONSTRAINT notices_one_per_cause_and_reader UNIQUE (merchant_id, kind, cause_id, reader_index),
  CONSTRAINT notices_attempts_not_below_zero CHECK ((attempts >= 0)),
  CONSTRAINT notices_customer_with_schedule CHECK (((customer_id IS NULL) = (schedule_id IS NULL))),
  CONSTRAINT notices_due_while_pending CHECK (((status = 'pending'::text) = (due_at IS NOT NULL))),
  CONSTRAINT notices_known_status CHECK ((status = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text, 'kept'::text]))),
  CONSTRAINT notices_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE notices ENABLE ROW LEVEL SECURITY;
CREATE INDEX notices_due ON public.notices USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX notices_of_cause ON public.notices USING btree (merchant_id, cause_id);
CREATE INDEX notices_of_customer ON public.notices USING btree (merchant_id, customer_id) WHERE (customer_id IS NOT NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.notices FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON notices AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON notices AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON notices TO recollect_engine;
GRANT INSERT, SELECT ON notices TO recollect_api;

CREATE TABLE notices_off (
  merchant_id text NOT NULL,
  kind text NOT NULL,
  CONSTRAINT notices_off_pkey PRIMARY KEY (merchant_id, kind),
  CONSTRAINT notices_off_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE notices_off ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON notices_off AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON notices_off AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT ON notices_off TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON notices_off TO recollect_engine;

CREATE TABLE notices_on (
  merchant_id text NOT NULL,
  kind text NOT NULL,
  CONSTRAINT notices_on_pkey PRIMARY KEY (merchant_id, kind),
  CONSTRAINT notices_on_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE notices_on ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON notices_on AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON notices_on AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT ON notices_on TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON notices_on TO recollect_engine;

CREATE TABLE occurrence_changes (
  merchant_id text NOT NULL,
  schedule_id text NOT NULL,
  due_date timestamp with time zone NOT NULL,
  amount_pence bigint,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT occurrence_changes_pkey PRIMARY KEY (merchant_id, schedule_id, due_date),
  CONSTRAINT occurrence_changes_amount_above_zero CHECK ((amount_pence > 0)),
  CONSTRAINT occurrence_changes_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules(merchant_id, schedule_id)
);
ALTER TABLE occurrence_changes ENABLE ROW LEVEL SECURITY;
CREATE INDEX occurrence_changes_by_date ON public.occurrence_changes USING btree (merchant_id, due_date);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.occurrence_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON occurrence_changes AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON occurrence_changes AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON occurrence_changes TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON occurrence_changes TO recollect_engine;

CREATE TABLE operator_identities (
  operator_id text NOT NULL,
  email text NOT NULL,
  issuer text,
  subject text,
  linked_at timestamp with time zone,
  CONSTRAINT operator_identities_pkey PRIMARY KEY (operator_id),
  CONSTRAINT operator_identities_one_per_account UNIQUE (issuer, subject),
  CONSTRAINT operator_identities_one_per_email UNIQUE (email),
  CONSTRAINT operator_identities_whole_link CHECK ((num_nulls(issuer, subject, linked_at) = ANY (ARRAY[0, 3]))),
  CONSTRAINT operator_identities_of_operator FOREIGN KEY (operator_id) REFERENCES operators(operator_id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON operator_identities TO recollect_engine;

CREATE TABLE operator_keys (
  operator_id text NOT NULL,
  key_id text NOT NULL,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  hint text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  allowed_ips text[],
  CONSTRAINT operator_keys_pkey PRIMARY KEY (operator_id, key_id),
  CONSTRAINT operator_keys_one_per_secret UNIQUE (secret_hash),
  CONSTRAINT operator_keys_of_operator FOREIGN KEY (operator_id) REFERENCES operators(operator_id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON operator_keys TO recollect_engine;

CREATE TABLE operator_notices (
  notice_id text COLLATE "C" NOT NULL,
  content text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  error text,
  claimed_by integer,
  CONSTRAINT operator_notices_pkey PRIMARY KEY (notice_id),
  CONSTRAINT operator_notices_attempts_not_below_zero CHECK ((attempts >= 0))
);
CREATE INDEX operator_notices_due ON public.operator_notices USING btree (due_at) WHERE (due_at IS NOT NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON operator_notices TO recollect_engine;

CREATE TABLE operator_requests (
  request_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  wish text NOT NULL,
  reason text NOT NULL,
  asked_by text NOT NULL,
  asked_name text NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  status text NOT NULL,
  ended_by text,
  ended_at timestamp with time zone,
  end_reason text,
  CONSTRAINT operator_requests_pkey PRIMARY KEY (request_id),
  CONSTRAINT operator_requests_ended_unless_pending CHECK (((status = 'pending'::text) = (ended_at IS NULL))),
  CONSTRAINT operator_requests_known_status CHECK ((status = ANY (ARRAY['pending'::text, 'agreed'::text, 'taken_back'::text, 'expired'::text]))),
  CONSTRAINT operator_requests_whole_end CHECK ((num_nulls(ended_at, ended_by, end_reason) = ANY (ARRAY[0, 3])))
);
CREATE INDEX operator_requests_due ON public.operator_requests USING btree (expires_at) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX operator_requests_pending ON public.operator_requests USING btree (kind, subject) WHERE (status = 'pending'::text);
GRANT DELETE, INSERT, SELECT, UPDATE ON operator_requests TO recollect_engine;

CREATE TABLE operator_sessions (
  secret_hash bytea NOT NULL,
  operator_id text NOT NULL,
  key_id text,
  linked_at timestamp with time zone,
  begun_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT operator_sessions_pkey PRIMARY KEY (secret_hash),
  CONSTRAINT operator_sessions_one_way_in CHECK ((num_nulls(key_id, linked_at) = 1)),
  CONSTRAINT operator_sessions_of_operator FOREIGN KEY (operator_id) REFERENCES operators(operator_id),
  CONSTRAINT operator_sessions_opened_with FOREIGN KEY (operator_id, key_id) REFERENCES operator_keys(operator_id, key_id)
);
CREATE INDEX operator_sessions_by_expiry ON public.operator_sessions USING btree (expires_at);
CREATE INDEX operator_sessions_of_operator ON public.operator_sessions USING btree (operator_id);
GRANT DELETE, INSERT, SELECT, UPDATE ON operator_sessions TO recollect_engine;

CREATE TABLE operators (
  operator_id text NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  created_by text NOT NULL,
  removed_at timestamp with time zone,
  removed_by text,
  confirms_from timestamp with time zone,
  roles text[] NOT NULL DEFAULT ARRAY['auditor'::text],
  CONSTRAINT operators_pkey PRIMARY KEY (operator_id),
  CONSTRAINT operators_one_per_name UNIQUE (name),
  CONSTRAINT operators_whole_removal CHECK ((num_nulls(removed_at, removed_by) = ANY (ARRAY[0, 2])))
);
GRANT DELETE, INSERT, SELECT, UPDATE ON operators TO recollect_engine;

CREATE TABLE passkeys (
  credential_id text NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  backed_up boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  CONSTRAINT passkeys_pkey PRIMARY KEY (credential_id),
  CONSTRAINT passkeys_name_not_empty CHECK ((name <> ''::text)),
  CONSTRAINT passkeys_of_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_of_user ON public.passkeys USING btree (user_id);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.passkeys FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON passkeys TO recollect_engine;

CREATE TABLE payee_checks (
  merchant_id text NOT NULL,
  check_id text NOT NULL,
  account text NOT NULL,
  asked_by text NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  result text NOT NULL,
  reason text,
  bank_name text,
  evidence text,
  CONSTRAINT payee_checks_pkey PRIMARY KEY (merchant_id, check_id),
  CONSTRAINT payee_checks_known_result CHECK ((result = ANY (ARRAY['match'::text, 'close_match'::text, 'no_match'::text, 'unavailable'::text]))),
  CONSTRAINT payee_checks_name_of_close_match CHECK (((bank_name IS NULL) OR (result = 'close_match'::text))),
  CONSTRAINT payee_checks_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE payee_checks ENABLE ROW LEVEL SECURITY;
CREATE INDEX payee_checks_by_time ON public.payee_checks USING btree (merchant_id, asked_at);
CREATE POLICY one_merchant ON payee_checks AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON payee_checks AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON payee_checks TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON payee_checks TO recollect_api;

CREATE TABLE payment_evidence (
  merchant_id text NOT NULL,
  payment_id text NOT NULL,
  attempt integer NOT NULL,
  bank_id text NOT NULL,
  bank_payment_id text,
  left_open boolean NOT NULL,
  since timestamp with time zone NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone,
  was_credited boolean NOT NULL DEFAULT false,
  claimed_by integer,
  CONSTRAINT payment_evidence_pkey PRIMARY KEY (merchant_id, payment_id, attempt),
  CONSTRAINT payment_evidence_of_attempt FOREIGN KEY (merchant_id, payment_id, attempt) REFERENCES attempts(merchant_id, payment_id, number)
);
ALTER TABLE payment_evidence ENABLE ROW LEVEL SECURITY;
CREATE INDEX payment_evidence_due ON public.payment_evidence USING btree (bank_id, due_at) WHERE (due_at IS NOT NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.payment_evidence FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON payment_evidence AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON payment_evidence AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON payment_evidence TO recollect_engine;
GRANT SELECT ON payment_evidence TO recollect_api;

CREATE TABLE payment_orders (
  merchant_id text NOT NULL,
  payment_id text NOT NULL,
  attempt integer NOT NULL,
  call integer NOT NULL,
  sequence bigint NOT NULL DEFAULT nextval('state_changes_change_id_seq'::regclass),
  sent_at timestamp with time zone NOT NULL,
  taken_back_at timestamp with time zone,
  taken_back_sequence bigint,
  CONSTRAINT payment_orders_pkey PRIMARY KEY (merchant_id, payment_id, attempt, call)
);
ALTER TABLE payment_orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON payment_orders AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON payment_orders AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON payment_orders TO recollect_engine;
GRANT SELECT ON payment_orders TO recollect_api;

CREATE TABLE payment_work (
  merchant_id text NOT NULL,
  payment_id text NOT NULL,
  stage text NOT NULL,
  bank_id text NOT NULL,
  wallet_id text NOT NULL,
  due_at timestamp with time zone NOT NULL,
  attempt integer NOT NULL DEFAULT 0,
  polls integer NOT NULL DEFAULT 0,
  manual boolean NOT NULL DEFAULT false,
  bank_payment_id text,
  stopped_by text,
  leased_until timestamp with time zone,
  news_at timestamp with time zone,
  reported_at timestamp with time zone,
  claimed_by integer,
  moves_on boolean NOT NULL DEFAULT false,
  CONSTRAINT payment_work_pkey PRIMARY KEY (merchant_id, payment_id),
  CONSTRAINT payment_work_known_stage CHECK ((stage = ANY (ARRAY['wait'::text, 'submit'::text, 'track'::text, 'move'::text]))),
  CONSTRAINT payment_work_known_stopped_by CHECK ((stopped_by = ANY (ARRAY['consent_revoked'::text, 'schedule_cancelled'::text, 'schedule_paused'::text])))
) WITH (fillfactor=50);
ALTER TABLE payment_work ENABLE ROW LEVEL SECURITY;
CREATE INDEX payment_work_of_wallet ON public.payment_work USING btree (wallet_id);
CREATE INDEX payment_work_to_move ON public.payment_work USING btree (due_at) WHERE (stage = 'move'::text);
CREATE INDEX payment_work_to_submit ON public.payment_work USING btree (bank_id, due_at) WHERE (stage = ANY (ARRAY['wait'::text, 'submit'::text]));
CREATE INDEX payment_work_to_track ON public.payment_work USING btree (bank_id, due_at) WHERE (stage = 'track'::text);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.payment_work FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON payment_work AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON payment_work AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON payment_work TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON payment_work TO recollect_engine;

CREATE TABLE payments (
  merchant_id text NOT NULL,
  payment_id text NOT NULL,
  schedule_id text NOT NULL,
  customer_id text NOT NULL,
  consent_id text NOT NULL,
  wallet_id text NOT NULL,
  bank_id text NOT NULL,
  amount_pence bigint NOT NULL,
  currency text NOT NULL,
  due_date timestamp with time zone NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_retry_at timestamp with time zone,
  error_code text,
  error_message text,
  created_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  failed_at timestamp with time zone,
  settlement_id text,
  returned_pence bigint,
  returned_at timestamp with time zone,
  returned_reason text,
  no_retry_reason text,
  ad_hoc text,
  description text,
  refunded_pence bigint,
  fee_pence bigint,
  terms_version integer,
  occurrence integer,
  transfer_keys_used integer NOT NULL DEFAULT 0,
  is_first boolean,
  CONSTRAINT payments_pkey PRIMARY KEY (merchant_id, payment_id),
  CONSTRAINT payments_one_per_due_date UNIQUE NULLS NOT DISTINCT (merchant_id, schedule_id, due_date, ad_hoc),
  CONSTRAINT payments_ad_hoc_is_its_id CHECK ((ad_hoc = payment_id)),
  CONSTRAINT payments_amount_above_zero CHECK ((amount_pence > 0)),
  CONSTRAINT payments_completed_when_success CHECK (((status = 'success'::text) = (completed_at IS NOT NULL))),
  CONSTRAINT payments_failed_at_when_failed CHECK (((status = 'failed'::text) = (failed_at IS NOT NULL))),
  CONSTRAINT payments_fee_within_amount CHECK (((fee_pence >= 1) AND (fee_pence <= amount_pence))),
  CONSTRAINT payments_known_no_retry_reason CHECK ((no_retry_reason = ANY (ARRAY['final'::text, 'max_retries'::text, 'next_occurrence'::text, 'end_date'::text, 'limits'::text, 'by_hand'::text, 'stopped'::text]))),
  CONSTRAINT payments_known_status CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'success'::text, 'failed'::text]))),
  CONSTRAINT payments_refunded_within_amount CHECK (((refunded_pence >= 0) AND (refunded_pence <= amount_pence))),
  CONSTRAINT payments_returned CHECK ((((returned_pence IS NULL) = (returned_at IS NULL)) AND ((returned_at IS NULL) = (returned_reason IS NULL)))),
  CONSTRAINT payments_returned_above_zero CHECK ((returned_pence > 0))
) WITH (fillfactor=60);
ALTER TABLE payments ENABLE ROW LEVEL SECURITY;
CREATE INDEX payments_by_due_date ON public.payments USING btree (merchant_id, due_date DESC, payment_id DESC);
CREATE INDEX payments_failed ON public.payments USING btree (merchant_id, due_date DESC, payment_id DESC) INCLUDE (schedule_id) WHERE (failed_at IS NOT NULL);
CREATE INDEX payments_failed_at ON public.payments USING btree (merchant_id, failed_at) WHERE (failed_at IS NOT NULL);
CREATE INDEX payments_of_error ON public.payments USING btree (merchant_id, error_code, due_date DESC, payment_id DESC) WHERE (error_code IS NOT NULL);
CREATE INDEX payments_of_settlement ON public.payments USING btree (merchant_id, settlement_id) WHERE (settlement_id IS NOT NULL);
CREATE INDEX payments_to_retry ON public.payments USING btree (merchant_id, next_retry_at) WHERE (next_retry_at IS NOT NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON payments AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON payments AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON payments TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON payments TO recollect_api;

CREATE TABLE prepared_acts (
  merchant_id text NOT NULL,
  act_id text NOT NULL,
  key_id text NOT NULL,
  agent text NOT NULL,
  operation text NOT NULL,
  about_id text,
  inputs text,
  identity bytea NOT NULL,
  content bytea NOT NULL,
  ground jsonb NOT NULL,
  summary text NOT NULL,
  amount_pence bigint NOT NULL,
  asks_customer boolean NOT NULL,
  status text NOT NULL,
  object_id text,
  decided_by text,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT prepared_acts_pkey PRIMARY KEY (merchant_id, act_id),
  CONSTRAINT prepared_acts_known_status CHECK ((status = ANY (ARRAY['prepared'::text, 'waiting'::text, 'done'::text, 'declined'::text, 'replaced'::text]))),
  CONSTRAINT prepared_acts_not_negative CHECK ((amount_pence >= 0)),
  CONSTRAINT prepared_acts_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE prepared_acts ENABLE ROW LEVEL SECURITY;
CREATE INDEX prepared_acts_by_age ON public.prepared_acts USING btree (created_at);
CREATE INDEX prepared_acts_by_identity ON public.prepared_acts USING btree (merchant_id, key_id, identity, act_id);
CREATE INDEX prepared_acts_waiting ON public.prepared_acts USING btree (merchant_id, act_id) WHERE (status = 'waiting'::text);
CREATE INDEX prepared_acts_with_inputs ON public.prepared_acts USING btree (merchant_id, expires_at) WHERE (inputs IS NOT NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.prepared_acts FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON prepared_acts AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON prepared_acts AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON prepared_acts TO recollect_engine;
GRANT INSERT, SELECT ON prepared_acts TO recollect_api;
GRANT UPDATE (decided_by) ON prepared_acts TO recollect_api;
GRANT UPDATE (ended_at) ON prepared_acts TO recollect_api;
GRANT UPDATE (expires_at) ON prepared_acts TO recollect_api;
GRANT UPDATE (inputs) ON prepared_acts TO recollect_api;
GRANT UPDATE (object_id) ON prepared_acts TO recollect_api;
GRANT UPDATE (status) ON prepared_acts TO recollect_api;

CREATE TABLE reconciliation_agenda (
  only_one boolean NOT NULL DEFAULT true,
  due_at timestamp with time zone,
  CONSTRAINT reconciliation_agenda_pkey PRIMARY KEY (only_one),
  CONSTRAINT reconciliation_agenda_one_row CHECK (only_one)
);
CREATE INDEX reconciliation_agenda_due ON public.reconciliation_agenda USING btree (due_at) WHERE (due_at IS NOT NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON reconciliation_agenda TO recollect_engine;

CREATE TABLE reconciliation_items (
  issuer text NOT NULL,
  item text NOT NULL,
  merchant_id text,
  date date NOT NULL,
  amount_pence bigint,
  what text NOT NULL,
  found_at timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  resolved_at timestamp with time zone,
  resolved_by text,
  resolution text,
  CONSTRAINT reconciliation_items_pkey PRIMARY KEY (issuer, item),
  CONSTRAINT reconciliation_items_resolved_by_somebody CHECK ((((resolved_at IS NULL) = (resolved_by IS NULL)) AND ((resolved_at IS NULL) = (resolution IS NULL))))
);
CREATE INDEX reconciliation_items_open ON public.reconciliation_items USING btree (issuer, found_at) WHERE (resolved_at IS NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON reconciliation_items TO recollect_engine;

CREATE TABLE reconciliations (
  issuer text NOT NULL,
  date date NOT NULL,
  made_at timestamp with time zone NOT NULL,
  lines integer NOT NULL,
  wallets_pence bigint NOT NULL,
  in_settlement_pence bigint NOT NULL,
  unallocated_pence bigint NOT NULL,
  claims_pence bigint NOT NULL,
  owed_pence bigint NOT NULL,
  outside_pence bigint NOT NULL,
  differences integer NOT NULL,
  unknown text,
  unknown_since timestamp with time zone,
  fees_pence bigint NOT NULL DEFAULT 0,
  CONSTRAINT reconciliations_pkey PRIMARY KEY (issuer, date),
  CONSTRAINT reconciliations_unknown_have_since CHECK (((unknown IS NULL) = (unknown_since IS NULL)))
);
GRANT DELETE, INSERT, SELECT, UPDATE ON reconciliations TO recollect_engine;

CREATE TABLE refund_lines (
  merchant_id text NOT NULL,
  refund_id text NOT NULL,
  kind text NOT NULL,
  amount_pence bigint NOT NULL,
  settle_at timestamp with time zone,
  settlement_id text,
  CONSTRAINT refund_lines_pkey PRIMARY KEY (merchant_id, refund_id, kind),
  CONSTRAINT refund_lines_known_kind CHECK ((kind = ANY (ARRAY['refund'::text, 'refund_back'::text]))),
  CONSTRAINT refund_lines_signed CHECK ((((kind = 'refund'::text) = (amount_pence > 0)) AND (amount_pence <> 0))),
  CONSTRAINT refund_lines_netted_in_settlement FOREIGN KEY (merchant_id, settlement_id) REFERENCES settlements(merchant_id, settlement_id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT refund_lines_of_refund FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds(merchant_id, refund_id)
);
ALTER TABLE refund_lines ENABLE ROW LEVEL SECURITY;
CREATE INDEX refund_lines_due ON public.refund_lines USING btree (settle_at) WHERE ((settlement_id IS NULL) AND (settle_at IS NOT NULL));
CREATE INDEX refund_lines_of_settlement ON public.refund_lines USING btree (merchant_id, settlement_id) WHERE (settlement_id IS NOT NULL);
CREATE INDEX refund_lines_to_net ON public.refund_lines USING btree (merchant_id) WHERE (settlement_id IS NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.refund_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON refund_lines AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON refund_lines AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON refund_lines TO recollect_engine;
GRANT INSERT, SELECT ON refund_lines TO recollect_api;

CREATE TABLE refunds (
  merchant_id text NOT NULL,
  refund_id text NOT NULL,
  payment_id text NOT NULL,
  schedule_id text NOT NULL,
  amount_pence bigint NOT NULL,
  currency text NOT NULL,
  reason text,
  status text NOT NULL,
  stage text,
  due_at timestamp with time zone,
  polls integer NOT NULL DEFAULT 0,
  destination text,
  issuer_movement_id text,
  return_movement_id text,
  error_code text,
  error_message text,
  created_at timestamp with time zone NOT NULL,
  set_apart_at timestamp with time zone,
  completed_at timestamp with time zone,
  failed_at timestamp with time zone,
  claimed_by integer,
  CONSTRAINT refunds_pkey PRIMARY KEY (merchant_id, refund_id),
  CONSTRAINT refunds_amount_above_zero CHECK ((amount_pence > 0)),
  CONSTRAINT refunds_completed_when_success CHECK (((status = 'success'::text) = (completed_at IS NOT NULL))),
  CONSTRAINT refunds_due_while_under_way CHECK (((stage IS NULL) = (due_at IS NULL))),
  CONSTRAINT refunds_failed_at_when_failed CHECK (((status = 'failed'::text) = (failed_at IS NOT NULL))),
  CONSTRAINT refunds_known_stage CHECK ((stage = ANY (ARRAY['wait'::text, 'pay'::text, 'track'::text]))),
  CONSTRAINT refunds_known_status CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'success'::text, 'failed'::text]))),
  CONSTRAINT refunds_of_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments(merchant_id, payment_id)
);
ALTER TABLE refunds ENABLE ROW LEVEL SECURITY;
CREATE INDEX refunds_by_payment ON public.refunds USING btree (merchant_id, payment_id);
CREATE INDEX refunds_due ON public.refunds USING btree (stage, due_at) WHERE (stage IS NOT NULL);
CREATE INDEX refunds_newest ON public.refunds USING btree (merchant_id, created_at DESC, refund_id DESC);
CREATE INDEX refunds_of_movement ON public.refunds USING btree (merchant_id, issuer_movement_id) WHERE (issuer_movement_id IS NOT NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON refunds AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON refunds AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON refunds TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON refunds TO recollect_api;

CREATE TABLE request_log (
  merchant_id text NOT NULL,
  request_id text NOT NULL,
  sent_id text,
  at timestamp with time zone NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status integer NOT NULL,
  duration_ms integer NOT NULL,
  error_code text,
  caller_type text NOT NULL,
  caller_id text NOT NULL,
  idempotency_key text,
  user_agent text,
  request_body text,
  response_body text,
  CONSTRAINT request_log_pkey PRIMARY KEY (merchant_id, request_id),
  CONSTRAINT request_log_known_caller_type CHECK ((caller_type = ANY (ARRAY['api_key'::text, 'user'::text])))
);
ALTER TABLE request_log ENABLE ROW LEVEL SECURITY;
CREATE INDEX request_log_age ON public.request_log USING btree (at);
CREATE INDEX request_log_errors ON public.request_log USING btree (merchant_id, at DESC, request_id DESC) WHERE (status >= 400);
CREATE INDEX request_log_newest ON public.request_log USING btree (merchant_id, at DESC, request_id DESC);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.request_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON request_log AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON request_log AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON request_log TO recollect_engine;
GRANT SELECT ON request_log TO recollect_api;

CREATE TABLE safeguarding_agenda (
  only_one boolean NOT NULL DEFAULT true,
  since date,
  due_at timestamp with time zone,
  CONSTRAINT safeguarding_agenda_pkey PRIMARY KEY (only_one),
  CONSTRAINT safeguarding_agenda_one_row CHECK (only_one)
);
CREATE INDEX safeguarding_agenda_due ON public.safeguarding_agenda USING btree (due_at) WHERE (due_at IS NOT NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON safeguarding_agenda TO recollect_engine;

CREATE TABLE safeguarding_breaches (
  issuer text NOT NULL,
  kind text NOT NULL,
  about text NOT NULL,
  merchant_id text,
  amount_pence bigint,
  deadline timestamp with time zone NOT NULL,
  found_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  explained_at timestamp with time zone,
  explained_by text,
  explanation text,
  CONSTRAINT safeguarding_breaches_pkey PRIMARY KEY (issuer, kind, about),
  CONSTRAINT safeguarding_breaches_explained_by_somebody CHECK ((((explained_at IS NULL) = (explained_by IS NULL)) AND ((explained_at IS NULL) = (explanation IS NULL)))),
  CONSTRAINT safeguarding_breaches_known_kind CHECK ((kind = ANY (ARRAY['no_run'::text, 'not_compared'::text, 'not_answered'::text, 'shortfall'::text, 'excess'::text, 'difference'::text, 'receipt'::text])))
);
CREATE INDEX safeguarding_breaches_standing ON public.safeguarding_breaches USING btree (issuer, deadline) WHERE (ended_at IS NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.safeguarding_breaches FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON safeguarding_breaches TO recollect_engine;

CREATE TABLE safeguarding_register (
  entry_id text NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  identifier text,
  note text,
  added_at timestamp with time zone NOT NULL,
  added_by text NOT NULL,
  ended_at timestamp with time zone,
  ended_by text,
  CONSTRAINT safeguarding_register_pkey PRIMARY KEY (entry_id),
  CONSTRAINT safeguarding_register_ended_by_somebody CHECK (((ended_at IS NULL) = (ended_by IS NULL))),
  CONSTRAINT safeguarding_register_known_kind CHECK ((kind = ANY (ARRAY['account'::text, 'letter'::text, 'agreement'::text, 'agent'::text, 'bank'::text, 'insurance'::text, 'group_member'::text, 'subcontractor'::text, 'person'::text, 'document'::text])))
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.safeguarding_register FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON safeguarding_register TO recollect_engine;

CREATE TABLE safeguarding_runs (
  issuer text NOT NULL,
  date date NOT NULL,
  as_of timestamp with time zone NOT NULL,
  seat text NOT NULL,
  made_at timestamp with time zone NOT NULL,
  customers_pence bigint NOT NULL,
  merchants_pence bigint NOT NULL,
  paying_out_pence bigint NOT NULL,
  unallocated_pence bigint NOT NULL,
  receipts_pence bigint NOT NULL,
  fees_pence bigint NOT NULL,
  recalled_pence bigint NOT NULL,
  held_pence bigint NOT NULL,
  clients integer NOT NULL,
  issuer_pence bigint,
  timing_pence bigint,
  unknown text,
  answered_at timestamp with time zone,
  answered_by text,
  answer text,
  paid_in_pence bigint NOT NULL DEFAULT 0,
  taken_out_pence bigint NOT NULL DEFAULT 0,
  CONSTRAINT safeguarding_runs_pkey PRIMARY KEY (issuer, date),
  CONSTRAINT safeguarding_runs_answered_by_somebody CHECK ((((answered_at IS NULL) = (answered_by IS NULL)) AND ((answered_at IS NULL) = (answer IS NULL)))),
  CONSTRAINT safeguarding_runs_compared_or_unknown CHECK ((((issuer_pence IS NULL) = (unknown IS NOT NULL)) AND ((issuer_pence IS NULL) = (timing_pence IS NULL)))),
  CONSTRAINT safeguarding_runs_moved_not_below_zero CHECK (((paid_in_pence >= 0) AND (taken_out_pence >= 0)))
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.safeguarding_runs FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON safeguarding_runs TO recollect_engine;

CREATE TABLE sandbox_clock (
  only_row boolean NOT NULL DEFAULT true,
  offset_ms bigint NOT NULL,
  held_at timestamp with time zone,
  life integer NOT NULL DEFAULT 1,
  stop_asked boolean NOT NULL DEFAULT false,
  advance_from timestamp with time zone,
  advance_to timestamp with time zone,
  advance_reached timestamp with time zone,
  advance_error text,
  waiting_for text[],
  CONSTRAINT sandbox_clock_pkey PRIMARY KEY (only_row),
  CONSTRAINT sandbox_clock_one_row CHECK (only_row)
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.sandbox_clock FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE TRIGGER never_live BEFORE INSERT OR UPDATE ON public.sandbox_clock FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON sandbox_clock TO recollect_engine;
GRANT SELECT ON sandbox_clock TO recollect_api;

CREATE TABLE saved_views (
  merchant_id text NOT NULL,
  view_id text NOT NULL,
  list text NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  made_by text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT saved_views_pkey PRIMARY KEY (merchant_id, view_id),
  CONSTRAINT saved_views_one_per_name UNIQUE (merchant_id, list, name),
  CONSTRAINT saved_views_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE saved_views ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.saved_views FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON saved_views AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON saved_views AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON saved_views TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON saved_views TO recollect_engine;

CREATE TABLE schedule_agenda (
  merchant_id text NOT NULL,
  schedule_id text NOT NULL,
  next_occurrence integer,
  due_at timestamp with time zone,
  put_off_until timestamp with time zone,
  check_at timestamp with time zone,
  last_event integer NOT NULL DEFAULT 0,
  changes integer,
  bank_id text NOT NULL DEFAULT ''::text,
  CONSTRAINT schedule_agenda_pkey PRIMARY KEY (merchant_id, schedule_id),
  CONSTRAINT schedule_agenda_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules(merchant_id, schedule_id)
) WITH (fillfactor=45);
ALTER TABLE schedule_agenda ENABLE ROW LEVEL SECURITY;
CREATE INDEX schedule_agenda_by_bank ON public.schedule_agenda USING btree (bank_id, GREATEST(due_at, put_off_until)) WHERE (due_at IS NOT NULL);
CREATE INDEX schedule_agenda_check ON public.schedule_agenda USING btree (check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX schedule_agenda_of_merchant ON public.schedule_agenda USING btree (merchant_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX schedule_agenda_to_open ON public.schedule_agenda USING btree (GREATEST(due_at, put_off_until)) WHERE (due_at IS NOT NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.schedule_agenda FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON schedule_agenda AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON schedule_agenda AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON schedule_agenda TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON schedule_agenda TO recollect_api;

CREATE TABLE schedule_change_lines (
  merchant_id text NOT NULL,
  change_id text NOT NULL,
  schedule_id text NOT NULL,
  terms_version integer NOT NULL,
  schedule_status text NOT NULL,
  amount_pence bigint NOT NULL,
  new_amount_pence bigint,
  effect text NOT NULL,
  state text NOT NULL,
  error_code text,
  reason text,
  link text,
  CONSTRAINT schedule_change_lines_pkey PRIMARY KEY (merchant_id, change_id, schedule_id),
  CONSTRAINT schedule_change_lines_known_effect CHECK ((effect = ANY (ARRAY['within_consent'::text, 'needs_consent'::text, 'awaiting_consent'::text, 'unchanged'::text, 'refused'::text]))),
  CONSTRAINT schedule_change_lines_known_state CHECK ((state = ANY (ARRAY['planned'::text, 'done'::text, 'failed'::text]))),
  CONSTRAINT schedule_change_lines_of_change FOREIGN KEY (merchant_id, change_id) REFERENCES schedule_changes(merchant_id, change_id) ON DELETE CASCADE,
  CONSTRAINT schedule_change_lines_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules(merchant_id, schedule_id)
);
ALTER TABLE schedule_change_lines ENABLE ROW LEVEL SECURITY;
CREATE INDEX schedule_change_lines_planned ON public.schedule_change_lines USING btree (merchant_id, change_id, schedule_id) WHERE (state = 'planned'::text);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.schedule_change_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON schedule_change_lines AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON schedule_change_lines AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON schedule_change_lines TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON schedule_change_lines TO recollect_api;

CREATE TABLE schedule_changes (
  merchant_id text NOT NULL,
  change_id text NOT NULL,
  actor text NOT NULL,
  change jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  due_at timestamp with time zone,
  claimed_by integer,
  CONSTRAINT schedule_changes_pkey PRIMARY KEY (merchant_id, change_id),
  CONSTRAINT schedule_changes_due_once_started CHECK (((due_at IS NULL) OR (started_at IS NOT NULL))),
  CONSTRAINT schedule_changes_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE schedule_changes ENABLE ROW LEVEL SECURITY;
CREATE INDEX schedule_changes_by_age ON public.schedule_changes USING btree (created_at) WHERE (due_at IS NULL);
CREATE INDEX schedule_changes_due ON public.schedule_changes USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.schedule_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON schedule_changes AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON schedule_changes AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON schedule_changes TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON schedule_changes TO recollect_engine;

CREATE TABLE schedule_runs (
  merchant_id text NOT NULL,
  schedule_id text NOT NULL,
  number integer NOT NULL,
  terms_version integer NOT NULL,
  after_at timestamp with time zone NOT NULL,
  first_occurrence integer NOT NULL,
  ended_at timestamp with time zone,
  next_occurrence integer,
  CONSTRAINT schedule_runs_pkey PRIMARY KEY (merchant_id, schedule_id, number),
  CONSTRAINT schedule_runs_ended_at_an_occurrence CHECK (((ended_at IS NULL) = (next_occurrence IS NULL))),
  CONSTRAINT schedule_runs_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules(merchant_id, schedule_id)
);
ALTER TABLE schedule_runs ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.schedule_runs FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON schedule_runs AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON schedule_runs AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON schedule_runs TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON schedule_runs TO recollect_api;

CREATE TABLE schedule_terms (
  merchant_id text NOT NULL,
  schedule_id text NOT NULL,
  version integer NOT NULL,
  amount_pence bigint NOT NULL,
  currency text NOT NULL,
  frequency_type text NOT NULL,
  frequency_day integer,
  frequency_interval integer NOT NULL,
  start_date timestamp with time zone,
  first_at timestamp with time zone NOT NULL,
  time_of_day time without time zone NOT NULL,
  time_zone text NOT NULL,
  end_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  per_payment_pence bigint,
  per_period_pence bigint,
  amount_mode text NOT NULL DEFAULT 'fixed'::text,
  non_working_day text NOT NULL DEFAULT 'same'::text,
  not_before timestamp with time zone,
  first_pence bigint,
  CONSTRAINT schedule_terms_pkey PRIMARY KEY (merchant_id, schedule_id, version),
  CONSTRAINT schedule_terms_amount_above_zero CHECK ((amount_pence > 0)),
  CONSTRAINT schedule_terms_interval_above_zero CHECK ((frequency_interval > 0)),
  CONSTRAINT schedule_terms_known_amount_mode CHECK ((amount_mode = ANY (ARRAY['fixed'::text, 'per_occurrence'::text]))),
  CONSTRAINT schedule_terms_known_frequency_type CHECK ((frequency_type = ANY (ARRAY['daily'::text, 'weekly'::text, 'monthly'::text, 'quarterly'::text, 'yearly'::text]))),
  CONSTRAINT schedule_terms_known_non_working_day CHECK ((non_working_day = ANY (ARRAY['same'::text, 'next'::text, 'previous'::text]))),
  CONSTRAINT schedule_terms_per_payment_above_zero CHECK ((per_payment_pence > 0)),
  CONSTRAINT schedule_terms_per_period_above_zero CHECK ((per_period_pence > 0)),
  CONSTRAINT schedule_terms_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules(merchant_id, schedule_id)
);
ALTER TABLE schedule_terms ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.schedule_terms FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON schedule_terms AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON schedule_terms AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT INSERT, SELECT ON schedule_terms TO recollect_api;
GRANT INSERT, SELECT ON schedule_terms TO recollect_engine;

CREATE TABLE schedule_words (
  merchant_id text NOT NULL,
  word text COLLATE "C" NOT NULL,
  schedule_id text COLLATE "C" NOT NULL,
  CONSTRAINT schedule_words_pkey PRIMARY KEY (merchant_id, word, schedule_id)
);
ALTER TABLE schedule_words ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.schedule_words FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON schedule_words AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON schedule_words AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT ON schedule_words TO recollect_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON schedule_words TO recollect_engine;

CREATE TABLE schedules (
  merchant_id text NOT NULL,
  schedule_id text NOT NULL,
  customer_id text NOT NULL,
  customer_type text NOT NULL,
  status text NOT NULL,
  description text NOT NULL,
  metadata jsonb,
  max_retries integer NOT NULL,
  terms_version integer NOT NULL,
  live_version integer,
  consented_version integer,
  consent_id text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  search_text text COLLATE "C" GENERATED ALWAYS AS (lower(description)),
  resume_at timestamp with time zone,
  statement_reference text,
  first_payment_pence bigint,
  first_payment_description text,
  CONSTRAINT schedules_pkey PRIMARY KEY (merchant_id, schedule_id),
  CONSTRAINT schedules_at_most_ten_retries CHECK (((max_retries >= 0) AND (max_retries <= 10))),
  CONSTRAINT schedules_known_customer_type CHECK ((customer_type = ANY (ARRAY['phone'::text, 'bank_account'::text, 'user_id'::text]))),
  CONSTRAINT schedules_known_status CHECK ((status = ANY (ARRAY['pending_consent'::text, 'active'::text, 'paused'::text, 'cancelled'::text]))),
  CONSTRAINT schedules_resume_when_paused CHECK (((resume_at IS NULL) OR (status = 'paused'::text))),
  CONSTRAINT schedules_statement_reference_fits CHECK (((length(statement_reference) >= 6) AND (length(statement_reference) <= 18))),
  CONSTRAINT schedules_of_customer FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, customer_id)
);
ALTER TABLE schedules ENABLE ROW LEVEL SECURITY;
CREATE INDEX schedules_of_consent ON public.schedules USING btree (merchant_id, consent_id) WHERE (consent_id IS NOT NULL);
CREATE INDEX schedules_of_customer ON public.schedules USING btree (merchant_id, customer_id, created_at DESC, schedule_id DESC);
CREATE INDEX schedules_of_status ON public.schedules USING btree (merchant_id, status, created_at DESC, schedule_id DESC);
CREATE INDEX schedules_search ON public.schedules USING btree (merchant_id, status, search_text, schedule_id);
CREATE INDEX schedules_to_resume ON public.schedules USING btree (resume_at) WHERE (resume_at IS NOT NULL);
CREATE INDEX schedules_updated ON public.schedules USING btree (merchant_id, updated_at);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.schedules FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON schedules AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON schedules AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON schedules TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON schedules TO recollect_api;

CREATE TABLE sessions (
  id text NOT NULL,
  user_id text NOT NULL,
  token text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  sso_merchant_id text,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_one_per_token UNIQUE (token),
  CONSTRAINT sessions_of_identity FOREIGN KEY (sso_merchant_id, user_id) REFERENCES identities(merchant_id, user_id) ON DELETE CASCADE,
  CONSTRAINT sessions_of_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_age ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_by_identity ON public.sessions USING btree (sso_merchant_id, user_id) WHERE (sso_merchant_id IS NOT NULL);
CREATE INDEX sessions_of_user ON public.sessions USING btree (user_id);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.sessions FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON sessions TO recollect_engine;

CREATE TABLE settlement_account_changes (
  merchant_id text NOT NULL,
  change_id text NOT NULL,
  status text NOT NULL,
  old_account text NOT NULL,
  new_account text NOT NULL,
  requested_by text NOT NULL,
  requested_at timestamp with time zone NOT NULL,
  takes_effect_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone,
  ended_by text,
  ended_at timestamp with time zone,
  agreed_by text,
  reason text,
  asked_by_id text,
  check_id text,
  CONSTRAINT settlement_account_changes_pkey PRIMARY KEY (merchant_id, change_id),
  CONSTRAINT settlement_account_changes_due_while_pending CHECK (((status = 'pending'::text) = (due_at IS NOT NULL))),
  CONSTRAINT settlement_account_changes_ended_unless_pending CHECK (((status = 'pending'::text) = (ended_at IS NULL))),
  CONSTRAINT settlement_account_changes_known_status CHECK ((status = ANY (ARRAY['pending'::text, 'in_force'::text, 'taken_back'::text]))),
  CONSTRAINT settlement_account_changes_name_was_checked FOREIGN KEY (merchant_id, check_id) REFERENCES payee_checks(merchant_id, check_id),
  CONSTRAINT settlement_account_changes_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE settlement_account_changes ENABLE ROW LEVEL SECURITY;
CREATE INDEX settlement_account_changes_due ON public.settlement_account_changes USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE UNIQUE INDEX settlement_account_changes_pending ON public.settlement_account_changes USING btree (merchant_id) WHERE (status = 'pending'::text);
CREATE POLICY one_merchant ON settlement_account_changes AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON settlement_account_changes AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON settlement_account_changes TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON settlement_account_changes TO recollect_api;

CREATE VIEW settlement_debts WITH (security_invoker=true) AS
 SELECT debts.merchant_id,
    debts.settlement_id,
    debts.debt_id
   FROM debts
  WHERE (debts.settlement_id IS NOT NULL)
UNION ALL
 SELECT carried_debts.merchant_id,
    carried_debts.settlement_id,
    carried_debts.debt_id
   FROM carried_debts;
GRANT SELECT ON settlement_debts TO recollect_api;
GRANT SELECT ON settlement_debts TO recollect_engine;

CREATE VIEW settlement_payments WITH (security_invoker=true) AS
 SELECT payments.merchant_id,
    payments.settlement_id,
    payments.payment_id
   FROM payments
  WHERE (payments.settlement_id IS NOT NULL)
UNION ALL
 SELECT carried_payments.merchant_id,
    carried_payments.settlement_id,
    carried_payments.payment_id
   FROM carried_payments;
GRANT SELECT ON settlement_payments TO recollect_api;
GRANT SELECT ON settlement_payments TO recollect_engine;

CREATE VIEW settlement_refund_lines WITH (security_invoker=true) AS
 SELECT refund_lines.merchant_id,
    refund_lines.settlement_id,
    refund_lines.refund_id,
    refund_lines.kind
   FROM refund_lines
  WHERE (refund_lines.settlement_id IS NOT NULL)
UNION ALL
 SELECT carried_refund_lines.merchant_id,
    carried_refund_lines.settlement_id,
    carried_refund_lines.refund_id,
    carried_refund_lines.kind
   FROM carried_refund_lines;
GRANT SELECT ON settlement_refund_lines TO recollect_api;
GRANT SELECT ON settlement_refund_lines TO recollect_engine;

CREATE TABLE settlements (
  merchant_id text NOT NULL,
  settlement_id text NOT NULL,
  settle_date date NOT NULL,
  amount_pence bigint NOT NULL,
  currency text NOT NULL,
  status text NOT NULL,
  stage text,
  due_at timestamp with time zone,
  attempts integer NOT NULL DEFAULT 0,
  polls integer NOT NULL DEFAULT 0,
  destination text NOT NULL,
  issuer_movement_id text,
  error_code text,
  error_message text,
  created_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  failed_at timestamp with time zone,
  part smallint NOT NULL DEFAULT 1,
  gross_pence bigint NOT NULL,
  refunds_pence bigint NOT NULL DEFAULT 0,
  fees_pence bigint NOT NULL DEFAULT 0,
  carried_pence bigint NOT NULL DEFAULT 0,
  return_movement_id text,
  account_doubted_at timestamp with time zone,
  ordered_at timestamp with time zone,
  order_sequence bigint,
  claimed_by integer,
  statement_reference text,
  issuer_reference text,
  CONSTRAINT settlements_pkey PRIMARY KEY (merchant_id, settlement_id),
  CONSTRAINT settlements_of_a_day UNIQUE (merchant_id, settle_date, part),
  CONSTRAINT settlements_add_up CHECK ((amount_pence = (((gross_pence - refunds_pence) - fees_pence) - carried_pence))),
  CONSTRAINT settlements_amount_above_zero CHECK ((amount_pence > 0)),
  CONSTRAINT settlements_amount_within_largest CHECK (((amount_pence <= 100000000) OR (status = 'failed'::text))) NOT VALID,
  CONSTRAINT settlements_carried_not_below_zero CHECK ((carried_pence >= 0)),
  CONSTRAINT settlements_fees_not_below_zero CHECK ((fees_pence >= 0)),
  CONSTRAINT settlements_known_stage CHECK ((stage = ANY (ARRAY['pay'::text, 'track'::text, 'carry'::text]))),
  CONSTRAINT settlements_known_status CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'success'::text, 'failed'::text]))),
  CONSTRAINT settlements_part_above_zero CHECK ((part > 0)),
  CONSTRAINT settlements_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE settlements ENABLE ROW LEVEL SECURITY;
CREATE INDEX settlements_by_reference ON public.settlements USING btree (upper(COALESCE(issuer_reference, statement_reference, "right"(settlement_id, 18))));
CREATE INDEX settlements_differing ON public.settlements USING btree (created_at) WHERE ((status = 'processing'::text) AND (stage IS NULL));
CREATE INDEX settlements_doubted ON public.settlements USING btree (merchant_id, account_doubted_at) WHERE (account_doubted_at IS NOT NULL);
CREATE INDEX settlements_due ON public.settlements USING btree (stage, due_at) WHERE (stage IS NOT NULL);
CREATE INDEX settlements_newest ON public.settlements USING btree (merchant_id, created_at DESC, settlement_id DESC);
CREATE INDEX settlements_of_movement ON public.settlements USING btree (merchant_id, issuer_movement_id) WHERE (issuer_movement_id IS NOT NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.settlements FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON settlements AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON settlements AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON settlements TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON settlements TO recollect_api;

CREATE TABLE skipped_occurrences (
  merchant_id text NOT NULL,
  schedule_id text NOT NULL,
  due_date timestamp with time zone NOT NULL,
  terms_version integer NOT NULL,
  occurrence integer NOT NULL,
  reason text NOT NULL,
  skipped_at timestamp with time zone NOT NULL,
  event_id text NOT NULL,
  CONSTRAINT skipped_occurrences_pkey PRIMARY KEY (merchant_id, schedule_id, due_date),
  CONSTRAINT skipped_occurrences_known_reason CHECK ((reason = ANY (ARRAY['skipped'::text, 'amount_not_set'::text]))),
  CONSTRAINT skipped_occurrences_of_schedule FOREIGN KEY (merchant_id, schedule_id) REFERENCES schedules(merchant_id, schedule_id)
);
ALTER TABLE skipped_occurrences ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.skipped_occurrences FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON skipped_occurrences AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON skipped_occurrences AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON skipped_occurrences TO recollect_engine;
GRANT INSERT, SELECT ON skipped_occurrences TO recollect_api;

CREATE TABLE state_changes (
  merchant_id text NOT NULL,
  change_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  object_id text NOT NULL,
  schedule_id text,
  from_state text,
  to_state text NOT NULL,
  reason text NOT NULL,
  at timestamp with time zone NOT NULL,
  actor text NOT NULL DEFAULT COALESCE(NULLIF(current_setting('recollect.actor'::text, true), ''::text), 'service'::text),
  CONSTRAINT state_changes_pkey PRIMARY KEY (merchant_id, change_id)
);
ALTER TABLE state_changes ENABLE ROW LEVEL SECURITY;
CREATE INDEX state_changes_by_operators ON public.state_changes USING btree (at, merchant_id, change_id) WHERE (split_part(actor, ':'::text, 1) = 'operator'::text);
CREATE INDEX state_changes_by_people ON public.state_changes USING btree (merchant_id, change_id) WHERE ((split_part(actor, ':'::text, 1) = ANY (ARRAY['member'::text, 'api_key'::text, 'operator'::text, 'customer'::text])) OR (to_state = 'erased'::text));
CREATE INDEX state_changes_of_object ON public.state_changes USING btree (merchant_id, object_id) WHERE (schedule_id IS NULL);
CREATE INDEX state_changes_of_schedule ON public.state_changes USING btree (merchant_id, schedule_id, change_id);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.state_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON state_changes AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON state_changes AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT INSERT, SELECT ON state_changes TO recollect_api;
GRANT INSERT, SELECT ON state_changes TO recollect_engine;

CREATE VIEW team_members WITH (security_barrier=true) AS
 SELECT m.merchant_id,
    m.user_id,
    m.role,
    m.joined_at,
    u.name,
    u.email,
    u.two_factor_enabled,
    u.last_seen_at,
    (EXISTS ( SELECT
           FROM members o
          WHERE ((o.user_id = m.user_id) AND (o.merchant_id <> m.merchant_id)))) AS works_elsewhere,
    (EXISTS ( SELECT
           FROM identities i
          WHERE ((i.merchant_id = m.merchant_id) AND (i.user_id = m.user_id)))) AS uses_sso,
    m.leaves_at,
    m.leaves_as,
    m.leaves_by
   FROM (members m
     JOIN users u ON ((u.id = m.user_id)))
  WHERE (m.merchant_id = current_setting('recollect.merchant_id'::text, true));
GRANT SELECT ON team_members TO recollect_api;
GRANT SELECT ON team_members TO recollect_engine;

CREATE VIEW team_memberships WITH (security_barrier=true) AS
 SELECT t.merchant_id,
    m.user_id,
    m.merchant_id AS works_for,
    w.name,
    m.role
   FROM ((members t
     JOIN members m ON ((m.user_id = t.user_id)))
     JOIN merchants w ON ((w.merchant_id = m.merchant_id)))
  WHERE (t.merchant_id = current_setting('recollect.merchant_id'::text, true));
GRANT SELECT ON team_memberships TO recollect_api;
GRANT SELECT ON team_memberships TO recollect_engine;

CREATE TABLE to_settle (
  merchant_id text NOT NULL,
  payment_id text NOT NULL,
  settle_at timestamp with time zone NOT NULL,
  amount_pence bigint NOT NULL,
  put_off_from timestamp with time zone,
  CONSTRAINT to_settle_pkey PRIMARY KEY (merchant_id, payment_id),
  CONSTRAINT to_settle_amount_above_zero CHECK ((amount_pence > 0))
);
ALTER TABLE to_settle ENABLE ROW LEVEL SECURITY;
CREATE INDEX to_settle_due ON public.to_settle USING btree (settle_at);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.to_settle FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON to_settle AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON to_settle AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON to_settle TO recollect_engine;
GRANT SELECT ON to_settle TO recollect_api;

CREATE TABLE transfer_seals (
  merchant_id text NOT NULL,
  from_id text COLLATE "C" NOT NULL,
  to_id text COLLATE "C" NOT NULL,
  transfers integer NOT NULL,
  checksum numeric NOT NULL,
  CONSTRAINT transfer_seals_pkey PRIMARY KEY (merchant_id, from_id),
  CONSTRAINT transfer_seals_forward CHECK ((from_id < to_id))
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.transfer_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON transfer_seals TO recollect_engine;

CREATE TABLE transfers (
  merchant_id text NOT NULL,
  transfer_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  debit_account_id text NOT NULL,
  credit_account_id text NOT NULL,
  amount_pence bigint NOT NULL,
  source_id text NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT transfers_pkey PRIMARY KEY (merchant_id, transfer_id),
  CONSTRAINT transfers_once_per_source_and_kind UNIQUE (merchant_id, source_id, kind),
  CONSTRAINT transfers_amount_above_zero CHECK ((amount_pence > 0)),
  CONSTRAINT transfers_between_two_accounts CHECK ((debit_account_id <> credit_account_id)),
  CONSTRAINT transfers_known_kind CHECK ((kind = ANY (ARRAY['pay_in'::text, 'move'::text, 'settle'::text, 'settle_back'::text, 'pay_out'::text, 'extra_pay_in'::text, 'claim'::text, 'claim_back'::text, 'allocate'::text, 'give_back'::text, 'pay_out_return'::text, 'recall'::text, 'net'::text, 'cover'::text, 'refund'::text, 'refund_back'::text, 'refund_out'::text, 'fee'::text, 'fee_out'::text, 'set_aside'::text])))
);
ALTER TABLE transfers ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON transfers AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON transfers AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT INSERT, SELECT ON transfers TO recollect_api;
GRANT INSERT, SELECT ON transfers TO recollect_engine;

CREATE TABLE two_factors (
  id text NOT NULL,
  user_id text NOT NULL,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean DEFAULT true,
  failed_verification_count integer DEFAULT 0,
  locked_until timestamp with time zone,
  CONSTRAINT two_factors_pkey PRIMARY KEY (id),
  CONSTRAINT two_factors_one_per_user UNIQUE (user_id),
  CONSTRAINT two_factors_of_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX two_factors_by_secret ON public.two_factors USING btree (secret);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.two_factors FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON two_factors TO recollect_engine;

CREATE TABLE unallocated_items (
  merchant_id text NOT NULL,
  item_id text NOT NULL,
  movement_id text NOT NULL,
  part_of text,
  wallet_id text NOT NULL,
  amount_pence bigint NOT NULL,
  currency text NOT NULL,
  end_to_end_id text,
  payer text,
  reason text NOT NULL,
  schedule_id text,
  payment_id text,
  attempt integer,
  status text NOT NULL,
  arrived_at timestamp with time zone NOT NULL,
  opened_at timestamp with time zone NOT NULL,
  proposed jsonb,
  ended_at timestamp with time zone,
  ended_by text,
  confirmed_by text,
  end_reason text,
  original_movement_id text,
  came_back_of text,
  CONSTRAINT unallocated_items_pkey PRIMARY KEY (merchant_id, item_id),
  CONSTRAINT unallocated_items_amount_above_zero CHECK ((amount_pence > 0)),
  CONSTRAINT unallocated_items_ended_by_somebody CHECK ((((ended_at IS NULL) = (ended_by IS NULL)) AND ((ended_at IS NULL) = (end_reason IS NULL)))),
  CONSTRAINT unallocated_items_ended_unless_open CHECK (((status = 'open'::text) = (ended_at IS NULL))),
  CONSTRAINT unallocated_items_known_reason CHECK ((reason = ANY (ARRAY['nothing_awaited'::text, 'another_amount'::text, 'another_wallet'::text, 'paid_already'::text, 'later_attempt'::text, 'left_over'::text, 'came_back'::text, 'not_transferred'::text]))),
  CONSTRAINT unallocated_items_known_status CHECK ((status = ANY (ARRAY['open'::text, 'allocated'::text, 'accepted_in_part'::text, 'returned'::text, 'paid_on'::text, 'credited'::text]))),
  CONSTRAINT unallocated_items_payment_with_schedule CHECK (((payment_id IS NULL) = (schedule_id IS NULL))),
  CONSTRAINT unallocated_items_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id),
  CONSTRAINT unallocated_items_of_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments(merchant_id, payment_id),
  CONSTRAINT unallocated_items_of_wallet FOREIGN KEY (merchant_id, wallet_id) REFERENCES wallets(merchant_id, wallet_id),
  CONSTRAINT unallocated_items_part_of_item FOREIGN KEY (merchant_id, part_of) REFERENCES unallocated_items(merchant_id, item_id)
);
ALTER TABLE unallocated_items ENABLE ROW LEVEL SECURITY;
CREATE INDEX unallocated_items_ended ON public.unallocated_items USING btree (ended_at) WHERE (status <> 'open'::text);
CREATE UNIQUE INDEX unallocated_items_of_movement ON public.unallocated_items USING btree (merchant_id, movement_id) WHERE (part_of IS NULL);
CREATE INDEX unallocated_items_of_payment ON public.unallocated_items USING btree (merchant_id, payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX unallocated_items_of_wallet ON public.unallocated_items USING btree (merchant_id, wallet_id) WHERE (status = 'open'::text);
CREATE INDEX unallocated_items_open ON public.unallocated_items USING btree (opened_at) WHERE (status = 'open'::text);
CREATE POLICY one_merchant ON unallocated_items AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON unallocated_items AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON unallocated_items TO recollect_engine;
GRANT SELECT ON unallocated_items TO recollect_api;

CREATE VIEW undelivered_deliveries WITH (security_invoker=true) AS
 SELECT deliveries.merchant_id,
    deliveries.delivery_id,
    deliveries.event_id,
    deliveries.endpoint_id,
    deliveries.status,
    deliveries.attempts,
    deliveries.failures,
    deliveries.finished_at,
    deliveries.created_at
   FROM deliveries
  WHERE (deliveries.due_at IS NOT NULL)
UNION ALL
 SELECT deliveries.merchant_id,
    deliveries.delivery_id,
    deliveries.event_id,
    deliveries.endpoint_id,
    deliveries.status,
    deliveries.attempts,
    deliveries.failures,
    deliveries.finished_at,
    deliveries.created_at
   FROM deliveries
  WHERE (deliveries.status = ANY (ARRAY['failed'::text, 'held'::text]));
GRANT SELECT ON undelivered_deliveries TO recollect_api;
GRANT SELECT ON undelivered_deliveries TO recollect_engine;

CREATE TABLE unknown_bank_payments (
  bank_id text NOT NULL,
  bank_payment_id text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone NOT NULL,
  claimed_by integer,
  CONSTRAINT unknown_bank_payments_pkey PRIMARY KEY (bank_id, bank_payment_id)
);
CREATE INDEX unknown_bank_payments_due ON public.unknown_bank_payments USING btree (bank_id, due_at);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.unknown_bank_payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON unknown_bank_payments TO recollect_engine;

CREATE TABLE used_codes (
  user_id text NOT NULL,
  code_hash bytea NOT NULL,
  used_at timestamp with time zone NOT NULL,
  CONSTRAINT used_codes_pkey PRIMARY KEY (user_id, code_hash),
  CONSTRAINT used_codes_of_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.used_codes FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON used_codes TO recollect_engine;

CREATE TABLE user_links (
  token_hash bytea NOT NULL,
  user_id text NOT NULL,
  purpose text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  merchant_id text,
  made_by text,
  by_email boolean NOT NULL DEFAULT false,
  CONSTRAINT user_links_pkey PRIMARY KEY (token_hash),
  CONSTRAINT user_links_known_purpose CHECK ((purpose = ANY (ARRAY['sign_in'::text, 'set_password'::text]))),
  CONSTRAINT user_links_maker CHECK (((merchant_id IS NULL) = (made_by IS NULL))),
  CONSTRAINT user_links_by_member FOREIGN KEY (merchant_id, made_by) REFERENCES members(merchant_id, user_id) ON DELETE CASCADE,
  CONSTRAINT user_links_of_member FOREIGN KEY (merchant_id, user_id) REFERENCES members(merchant_id, user_id) ON DELETE CASCADE,
  CONSTRAINT user_links_of_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
ALTER TABLE user_links ENABLE ROW LEVEL SECURITY;
CREATE INDEX user_links_age ON public.user_links USING btree (expires_at);
CREATE INDEX user_links_made_by ON public.user_links USING btree (merchant_id, made_by) WHERE (made_by IS NOT NULL);
CREATE INDEX user_links_of_user ON public.user_links USING btree (user_id);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.user_links FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY own_members ON user_links AS PERMISSIVE FOR INSERT TO recollect_api WITH CHECK (((purpose = 'set_password'::text) AND (merchant_id = current_setting('recollect.merchant_id'::text)) AND is_own_member(user_id)));
CREATE POLICY whole_service ON user_links AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON user_links TO recollect_engine;
GRANT INSERT ON user_links TO recollect_api;

CREATE TABLE users (
  id text NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  last_seen_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  made_by text NOT NULL DEFAULT 'unknown'::text,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_one_per_email UNIQUE (email),
  CONSTRAINT users_email_lower_case CHECK ((email = lower(email))),
  CONSTRAINT users_known_made_by CHECK ((made_by = ANY (ARRAY['operator'::text, 'invitation'::text, 'unknown'::text]))),
  CONSTRAINT users_name_not_empty CHECK ((name <> ''::text))
);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.users FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON users TO recollect_engine;

CREATE TABLE vault_seals (
  key_id text NOT NULL,
  seals bigint NOT NULL,
  CONSTRAINT vault_seals_pkey PRIMARY KEY (key_id),
  CONSTRAINT vault_seals_above_zero CHECK ((seals > 0))
);
GRANT DELETE, INSERT, SELECT, UPDATE ON vault_seals TO recollect_engine;

CREATE TABLE verifications (
  id text NOT NULL,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT verifications_pkey PRIMARY KEY (id)
);
CREATE INDEX verifications_age ON public.verifications USING btree (expires_at);
CREATE INDEX verifications_by_identifier ON public.verifications USING btree (identifier);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.verifications FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
GRANT DELETE, INSERT, SELECT, UPDATE ON verifications TO recollect_engine;

CREATE VIEW wallet_holdings WITH (security_invoker=true) AS
 SELECT w.merchant_id,
    w.wallet_id,
    ((COALESCE(a.balance_pence, (0)::bigint) + COALESCE(u.pence, (0)::bigint)) + COALESCE(f.balance_pence, (0)::bigint)) AS pence
   FROM (((wallets w
     LEFT JOIN accounts a ON (((a.merchant_id = w.merchant_id) AND (a.account_id = w.wallet_id))))
     LEFT JOIN accounts f ON (((f.merchant_id = w.merchant_id) AND (f.account_id = 'fees'::text) AND (w.customer_id IS NULL) AND (w.status <> 'closed'::text))))
     LEFT JOIN LATERAL ( SELECT (sum(i.amount_pence))::bigint AS pence
           FROM unallocated_items i
          WHERE ((i.merchant_id = w.merchant_id) AND (i.wallet_id = w.wallet_id) AND (i.status = 'open'::text))) u ON (true));
GRANT SELECT ON wallet_holdings TO recollect_api;
GRANT SELECT ON wallet_holdings TO recollect_engine;

CREATE TABLE wallets (
  merchant_id text NOT NULL,
  wallet_id text NOT NULL,
  customer_id text,
  status text NOT NULL,
  issuer_wallet_id text,
  account text,
  due_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  opened_at timestamp with time zone,
  closed_at timestamp with time zone,
  claimed_by integer,
  CONSTRAINT wallets_pkey PRIMARY KEY (merchant_id, wallet_id),
  CONSTRAINT wallets_in_use_have_issuer_id CHECK (((status = ANY (ARRAY['planned'::text, 'closing'::text, 'closed'::text])) OR (issuer_wallet_id IS NOT NULL))),
  CONSTRAINT wallets_known_status CHECK ((status = ANY (ARRAY['planned'::text, 'reserved'::text, 'open'::text, 'closing'::text, 'closed'::text]))),
  CONSTRAINT wallets_of_customer FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, customer_id),
  CONSTRAINT wallets_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE wallets ENABLE ROW LEVEL SECURITY;
CREATE INDEX wallets_due ON public.wallets USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX wallets_of_customer ON public.wallets USING btree (merchant_id, customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX wallets_of_merchant ON public.wallets USING btree (merchant_id) WHERE (customer_id IS NULL);
CREATE UNIQUE INDEX wallets_one_per_customer ON public.wallets USING btree (merchant_id, COALESCE(customer_id, ''::text)) WHERE (status = ANY (ARRAY['planned'::text, 'reserved'::text, 'open'::text]));
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.wallets FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON wallets AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON wallets AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON wallets TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON wallets TO recollect_api;

CREATE TABLE webhook_endpoints (
  merchant_id text NOT NULL,
  endpoint_id text NOT NULL,
  url text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  event_kinds text[] NOT NULL,
  status text NOT NULL,
  secret text NOT NULL,
  next_secret text,
  next_secret_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (merchant_id, endpoint_id),
  CONSTRAINT webhook_endpoints_known_status CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text, 'deleted'::text]))),
  CONSTRAINT webhook_endpoints_next_secret_dated CHECK (((next_secret IS NULL) = (next_secret_at IS NULL))),
  CONSTRAINT webhook_endpoints_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id)
);
ALTER TABLE webhook_endpoints ENABLE ROW LEVEL SECURITY;
CREATE INDEX webhook_endpoints_due ON public.webhook_endpoints USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_endpoints_rotating ON public.webhook_endpoints USING btree (next_secret_at) WHERE (next_secret_at IS NOT NULL);
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON public.webhook_endpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
CREATE POLICY one_merchant ON webhook_endpoints AS PERMISSIVE FOR ALL TO recollect_api USING ((merchant_id = current_setting('recollect.merchant_id'::text)));
CREATE POLICY whole_service ON webhook_endpoints AS PERMISSIVE FOR ALL TO recollect_engine USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON webhook_endpoints TO recollect_engine;
GRANT INSERT, SELECT, UPDATE ON webhook_endpoints TO recollect_api;

CREATE TABLE write_check (
  only_row boolean NOT NULL DEFAULT true,
  written_at timestamp with time zone NOT NULL,
  CONSTRAINT write_check_pkey PRIMARY KEY (only_row),
  CONSTRAINT write_check_one_row CHECK (only_row)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON write_check TO recollect_engine;
