-- How the members of a team sign in: what each of them needs, and how long a session lasts, in minutes of real time. Null: the
-- service's own lifetime of sessions. Across merchants, beside `members`: whoever works for several teams has one session.
CREATE TABLE access_rules (
  merchant_id text NOT NULL,
  requires_second_factor boolean NOT NULL DEFAULT false,
  session_idle_minutes integer,
  session_longest_minutes integer,
  CONSTRAINT access_rules_pkey PRIMARY KEY (merchant_id),
  CONSTRAINT access_rules_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id),
  CONSTRAINT access_rules_idle_within_bounds CHECK (session_idle_minutes BETWEEN 5 AND 10080),
  CONSTRAINT access_rules_longest_within_bounds CHECK (session_longest_minutes BETWEEN 60 AND 43200)
);
ALTER TABLE access_rules ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON access_rules TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON access_rules TO recollect_api;

-- When somebody last used a session; a page that only refreshes itself does not count. Null: since it was opened.
ALTER TABLE sessions ADD COLUMN used_at timestamptz;
