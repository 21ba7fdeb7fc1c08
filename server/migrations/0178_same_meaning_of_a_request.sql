-- What a request means: the hash of its method, path and body in one order of names. NULL: stored by a version that knew the text alone.
ALTER TABLE idempotency_keys ADD COLUMN meaning_hash bytea;
