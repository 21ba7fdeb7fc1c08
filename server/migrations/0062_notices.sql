-- Notices to people by email: written in the transaction of their cause, one for each cause and reader.
CREATE TABLE notices (
  merchant_id text NOT NULL,
  notice_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  cause_id text NOT NULL,
  reader_index bytea NOT NULL,
  content text NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz,
  error text,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT notices_pkey PRIMARY KEY (merchant_id, notice_id),
  CONSTRAINT notices_one_per_cause_and_reader UNIQUE (merchant_id, kind, cause_id, reader_index),
  CONSTRAINT notices_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id),
  CONSTRAINT notices_known_status CHECK (status IN ('pending', 'sent', 'failed', 'kept')),
  CONSTRAINT notices_due_while_pending CHECK ((status = 'pending') = (due_at IS NOT NULL)),
  CONSTRAINT notices_attempts_not_below_zero CHECK (attempts >= 0)
);
CREATE INDEX notices_due ON notices (due_at) WHERE due_at IS NOT NULL;

ALTER TABLE notices ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON notices TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON notices TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON notices
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- The kinds of notices that a merchant has turned off.
CREATE TABLE notices_off (
  merchant_id text NOT NULL,
  kind text NOT NULL,
  CONSTRAINT notices_off_pkey PRIMARY KEY (merchant_id, kind),
  CONSTRAINT notices_off_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);

ALTER TABLE notices_off ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON notices_off TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, DELETE ON notices_off TO recollect_api;

-- The team as a notice finds it: the engine's own transactions write notices too, and they belong to no merchant.
CREATE VIEW notice_readers WITH (security_barrier = true) AS
SELECT m.merchant_id, m.user_id, m.role, u.name, u.email
FROM members m JOIN users u ON u.id = m.user_id
WHERE current_user = 'recollect_engine' OR m.merchant_id = current_setting('recollect.merchant_id', true);
GRANT SELECT ON notice_readers TO recollect_api;

-- A link that went out by email, because its user had forgotten the password.
ALTER TABLE user_links ADD COLUMN by_email boolean NOT NULL DEFAULT false;
