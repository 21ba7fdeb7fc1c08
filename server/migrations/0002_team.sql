-- Who may come into the dashboard: people, how they prove who they are, and whose team they are on.
-- Instants are real time: sessions, links and invitations do not follow the sandbox's clock.

-- people and their proofs: the sign-in library's tables, and two of our own. People belong to no merchant, so nothing here
-- has a merchant_id, and nothing of it is granted to recollect_api ----------------------------------------------------

CREATE TABLE users (
  id                  text PRIMARY KEY,
  name                text NOT NULL CHECK (name <> ''),
  email               text NOT NULL UNIQUE CHECK (email = lower(email)),
  email_verified      boolean NOT NULL DEFAULT false,
  image               text,
  two_factor_enabled  boolean NOT NULL DEFAULT false,
  last_seen_at        timestamptz,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL
);

CREATE TABLE sessions (
  id          text PRIMARY KEY,
  user_id     text NOT NULL REFERENCES users ON DELETE CASCADE,
  token       text NOT NULL UNIQUE,
  expires_at  timestamptz NOT NULL,
  ip_address  text,
  user_agent  text,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL
);
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE INDEX sessions_age ON sessions (expires_at);

CREATE TABLE credentials (
  id                        text PRIMARY KEY,
  user_id                   text NOT NULL REFERENCES users ON DELETE CASCADE,
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
  UNIQUE (user_id, provider_id, account_id)
);

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

CREATE TABLE two_factors (
  id                         text PRIMARY KEY,
  user_id                    text NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
  secret                     text NOT NULL, -- encrypted
  backup_codes               text NOT NULL, -- encrypted
  verified                   boolean DEFAULT true,
  failed_verification_count  int DEFAULT 0,
  locked_until               timestamptz
);
CREATE INDEX two_factors_by_secret ON two_factors (secret);

CREATE TABLE passkeys (
  credential_id  text PRIMARY KEY, -- base64url, as the authenticator names it
  user_id        text NOT NULL REFERENCES users ON DELETE CASCADE,
  name           text NOT NULL CHECK (name <> ''),
  public_key     bytea NOT NULL,
  counter        bigint NOT NULL, -- of signatures; 0 where the authenticator does not count
  transports     text[] NOT NULL,
  backed_up      boolean NOT NULL,
  created_at     timestamptz NOT NULL,
  last_used_at   timestamptz
);
CREATE INDEX passkeys_of_user ON passkeys (user_id);

-- Links that work once: to sign in without a password, and to set one.
CREATE TABLE user_links (
  token_hash  bytea PRIMARY KEY,
  user_id     text NOT NULL REFERENCES users ON DELETE CASCADE,
  purpose     text NOT NULL CHECK (purpose IN ('sign_in', 'set_password')),
  expires_at  timestamptz NOT NULL
);
CREATE INDEX user_links_of_user ON user_links (user_id);
CREATE INDEX user_links_age ON user_links (expires_at);

-- teams ---------------------------------------------------------------------------------------------------------------

CREATE TABLE members (
  merchant_id  text NOT NULL REFERENCES merchants,
  user_id      text NOT NULL REFERENCES users,
  role         text NOT NULL CHECK (role IN ('owner', 'developer', 'finance', 'read_only')),
  joined_at    timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, user_id)
);
CREATE INDEX members_of_user ON members (user_id);

CREATE TABLE invitations (
  merchant_id    text NOT NULL REFERENCES merchants,
  invitation_id  text NOT NULL,
  email          text NOT NULL CHECK (email = lower(email)),
  role           text NOT NULL CHECK (role IN ('owner', 'developer', 'finance', 'read_only')),
  token_hash     bytea NOT NULL,
  invited_by     text NOT NULL, -- the member's name, as it was
  created_at     timestamptz NOT NULL,
  expires_at     timestamptz NOT NULL,
  accepted_at    timestamptz,
  PRIMARY KEY (merchant_id, invitation_id),
  UNIQUE (merchant_id, token_hash)
);
CREATE UNIQUE INDEX invitations_open ON invitations (merchant_id, email) WHERE accepted_at IS NULL;

-- The people of one team, for that team alone: it reads with its owner's rights, so it holds the merchant by itself.
CREATE VIEW team_members WITH (security_barrier = true) AS
  SELECT m.merchant_id, m.user_id, m.role, m.joined_at, u.name, u.email, u.two_factor_enabled, u.last_seen_at,
    EXISTS (SELECT FROM members o WHERE o.user_id = m.user_id AND o.merchant_id <> m.merchant_id) AS works_elsewhere
  FROM members m JOIN users u ON u.id = m.user_id
  WHERE m.merchant_id = current_setting('recollect.merchant_id', true);

-- Where the people of one team work, for themselves to choose from: of another merchant it has the name and their role.
CREATE VIEW team_memberships WITH (security_barrier = true) AS
  SELECT t.merchant_id, m.user_id, m.merchant_id AS works_for, w.name, m.role
  FROM members t JOIN members m ON m.user_id = t.user_id JOIN merchants w ON w.merchant_id = m.merchant_id
  WHERE t.merchant_id = current_setting('recollect.merchant_id', true);

ALTER TABLE members ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON members TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, UPDATE, DELETE ON members TO recollect_api;

ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON invitations TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, DELETE ON invitations TO recollect_api;

GRANT SELECT ON team_members, team_memberships TO recollect_api;

-- A team may make a link that sets the password of its own member, unless another merchant trusts that password too.
ALTER TABLE user_links ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_members ON user_links FOR INSERT TO recollect_api WITH CHECK (
  purpose = 'set_password'
  AND EXISTS (SELECT FROM team_members t WHERE t.user_id = user_links.user_id AND NOT t.works_elsewhere)
);
GRANT INSERT ON user_links TO recollect_api;
