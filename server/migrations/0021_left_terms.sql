-- A customer may be at the bank when the merchant changes the terms. The state that went to the bank with them is kept, with the
-- terms that they had seen: who comes back with it is told what changed.
ALTER TABLE consents
  ADD COLUMN left_state_hash bytea,
  ADD COLUMN left_terms_version integer,
  ADD CONSTRAINT consents_left_with_terms CHECK ((left_state_hash IS NULL) = (left_terms_version IS NULL));
CREATE INDEX consents_left_state ON consents (merchant_id, left_state_hash) WHERE left_state_hash IS NOT NULL;
