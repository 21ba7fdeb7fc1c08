-- A pay-in that is recalled while it stands on the unallocated list: its money lies in its wallet, and covers the issuer from there.

ALTER TABLE debts
  ALTER COLUMN payment_id DROP NOT NULL,
  ADD COLUMN wallet_id text, -- where the money lies; null: the merchant owes it
  ADD CONSTRAINT debts_of_wallet FOREIGN KEY (merchant_id, wallet_id) REFERENCES wallets,
  ADD CONSTRAINT debts_have_a_source CHECK ((payment_id IS NULL) = (wallet_id IS NOT NULL)),
  ADD CONSTRAINT debts_of_wallets_are_not_netted CHECK (wallet_id IS NULL OR settlement_id IS NULL);
CREATE INDEX debts_of_wallets ON debts (merchant_id, wallet_id) WHERE wallet_id IS NOT NULL;
