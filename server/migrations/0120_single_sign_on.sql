-- Single sign-on: the identity provider of a team, and who of the team is which account there. The secret is sealed. Across
-- merchants, beside `members`: who comes in is looked up before a merchant's transaction begins.
CREATE TABLE identity_providers (
  merchant_id text NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  client_secret text NOT NULL,
  -- Members other than owners come in by it alone.
  is_required boolean NOT NULL DEFAULT false,
  CONSTRAINT identity_providers_pkey PRIMARY KEY (merchant_id),
  CONSTRAINT identity_providers_named_by_issuer UNIQUE (merchant_id, issuer),
  CONSTRAINT identity_providers_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
ALTER TABLE identity_providers ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON identity_providers TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON identity_providers TO recollect_api;

-- An account at the provider is one member, and a member is one account there. Both end with the provider and with the membership.
CREATE TABLE identities (
  merchant_id text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id text NOT NULL,
  linked_at timestamptz NOT NULL,
  CONSTRAINT identities_pkey PRIMARY KEY (merchant_id, issuer, subject),
  CONSTRAINT identities_one_per_member UNIQUE (merchant_id, user_id),
  CONSTRAINT identities_of_provider FOREIGN KEY (merchant_id, issuer) REFERENCES identity_providers (merchant_id, issuer)
    ON DELETE CASCADE,
  CONSTRAINT identities_of_member FOREIGN KEY (merchant_id, user_id) REFERENCES members (merchant_id, user_id) ON DELETE CASCADE
);
ALTER TABLE identities ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON identities TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, DELETE ON identities TO recollect_api;

-- The team by whose provider a session was opened: it acts for that team alone, and ends with the member's link to the provider.
-- Null: opened by what belongs to the user, a password, a passkey or a link.
ALTER TABLE sessions ADD COLUMN sso_merchant_id text;
ALTER TABLE sessions ADD CONSTRAINT sessions_of_identity FOREIGN KEY (sso_merchant_id, user_id)
  REFERENCES identities (merchant_id, user_id) ON DELETE CASCADE;
CREATE INDEX sessions_by_identity ON sessions (sso_merchant_id, user_id) WHERE sso_merchant_id IS NOT NULL;

CREATE OR REPLACE VIEW team_members WITH (security_barrier) AS
  SELECT m.merchant_id, m.user_id, m.role, m.joined_at, u.name, u.email, u.two_factor_enabled, u.last_seen_at,
    EXISTS (SELECT FROM members o WHERE o.user_id = m.user_id AND o.merchant_id <> m.merchant_id) AS works_elsewhere,
    EXISTS (SELECT FROM identities i WHERE i.merchant_id = m.merchant_id AND i.user_id = m.user_id) AS uses_sso
  FROM members m JOIN users u ON u.id = m.user_id
  WHERE m.merchant_id = current_setting('recollect.merchant_id', true);
