-- Safe beside the previous version: it neither reads nor writes it, and what it seals is not counted.
-- How often each encryption key has sealed, over all processes: AES-GCM with random nonces is safe for 2^32 seals of a key. A row
-- stays when its key retires, so that a key that comes back is counted on.
CREATE TABLE vault_seals (
  key_id  text PRIMARY KEY,
  seals   bigint NOT NULL,
  CONSTRAINT vault_seals_above_zero CHECK (seals > 0)
);
