-- Where an API key may be used from, as ranges of addresses (null: anywhere), and the last use from elsewhere, which was refused.
ALTER TABLE api_keys
  ADD COLUMN allowed_ips text[],
  ADD COLUMN refused_at timestamptz,
  ADD COLUMN refused_from text,
  ADD CONSTRAINT api_keys_some_allowed_ips CHECK (cardinality(allowed_ips) BETWEEN 1 AND 50),
  ADD CONSTRAINT api_keys_whole_refusal CHECK (num_nulls(refused_at, refused_from) IN (0, 2));
