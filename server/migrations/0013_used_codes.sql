-- A code of an authenticator app opens one session: whoever saw it typed cannot type it again.

CREATE TABLE used_codes (
  user_id    text NOT NULL REFERENCES users ON DELETE CASCADE,
  code_hash  bytea NOT NULL, -- under a key
  used_at    timestamptz NOT NULL, -- by the real clock
  PRIMARY KEY (user_id, code_hash)
);
