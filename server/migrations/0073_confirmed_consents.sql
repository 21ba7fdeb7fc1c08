-- A consent for which the bank only wants its customer again: the order that it refused for that reason, and the customer's way to
-- the bank with the same consent.
ALTER TABLE consents
  ADD COLUMN confirm_asked_at   timestamptz, -- since when the bank refuses orders until the customer confirms the consent
  ADD COLUMN confirm_state_hash bytea,
  ADD COLUMN confirm_nonce      text;

CREATE UNIQUE INDEX consents_one_per_confirm_state ON consents (merchant_id, confirm_state_hash)
  WHERE confirm_state_hash IS NOT NULL;
