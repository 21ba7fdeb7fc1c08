-- A new schedule writes only what a read or a rule needs. That a schedule has a merchant follows from its customer; a kept
-- response lives for a day and is written for a caller whose key has a merchant. Each of these checks locked the merchant's row,
-- which concurrent requests of one merchant share.
ALTER TABLE schedules DROP CONSTRAINT schedules_of_merchant;
ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_of_merchant;

-- A consent that has not gone to the bank has no state, and a customer has a phone number or an account: no entry for a null.
ALTER TABLE consents DROP CONSTRAINT consents_one_per_state;
CREATE UNIQUE INDEX consents_one_per_state ON consents (merchant_id, state_hash) WHERE state_hash IS NOT NULL;
ALTER TABLE customers DROP CONSTRAINT customers_one_per_phone;
CREATE UNIQUE INDEX customers_one_per_phone ON customers (merchant_id, phone_index) WHERE phone_index IS NOT NULL;
ALTER TABLE customers DROP CONSTRAINT customers_one_per_bank_account;
CREATE UNIQUE INDEX customers_one_per_bank_account ON customers (merchant_id, bank_account_index)
  WHERE bank_account_index IS NOT NULL;
