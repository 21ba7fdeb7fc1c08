-- Safe beside the previous version: it reads the view without its new columns.
-- Who asked for a change of the settlement account, as a person of let_ins; null: an earlier version wrote it, and nobody confirms it.
ALTER TABLE settlement_account_changes ADD COLUMN asked_by_id text;

-- An owner whom another one removes or demotes stays one until `leaves_at` (business time), and can take it back until then.
ALTER TABLE members ADD COLUMN leaves_at timestamptz;
ALTER TABLE members ADD COLUMN leaves_as text; -- the role that they get; null, with leaves_at: none, they leave the team
ALTER TABLE members ADD COLUMN leaves_by text; -- the owner who asked for it
ALTER TABLE members ADD COLUMN keys_go_to text; -- the owner who takes over their API keys; null: the keys end
ALTER TABLE members ADD COLUMN due_at timestamptz; -- when it is to be done; null: nothing is
CREATE INDEX members_due ON members (due_at) WHERE due_at IS NOT NULL;

-- The addresses of who was an owner, and those that were the merchant's own, with until when (business time): they hear of what
-- happens to the owners and to the settlement account for a while, also where the account is gone.
CREATE TABLE former_addresses (
  merchant_id  text NOT NULL,
  email        text NOT NULL,
  name         text NOT NULL,
  until        timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, email),
  CONSTRAINT former_addresses_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
CREATE INDEX former_addresses_age ON former_addresses (until);
ALTER TABLE former_addresses ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON former_addresses TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON former_addresses TO recollect_api;

CREATE OR REPLACE VIEW team_members WITH (security_barrier) AS
  SELECT m.merchant_id, m.user_id, m.role, m.joined_at, u.name, u.email, u.two_factor_enabled, u.last_seen_at,
    EXISTS (SELECT FROM members o WHERE o.user_id = m.user_id AND o.merchant_id <> m.merchant_id) AS works_elsewhere,
    EXISTS (SELECT FROM identities i WHERE i.merchant_id = m.merchant_id AND i.user_id = m.user_id) AS uses_sso,
    m.leaves_at, m.leaves_as, m.leaves_by
  FROM members m JOIN users u ON u.id = m.user_id
  WHERE m.merchant_id = current_setting('recollect.merchant_id', true);
