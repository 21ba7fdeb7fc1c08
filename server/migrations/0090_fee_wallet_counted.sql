-- What the owner of the fee wallet moved at the issuer, of which no order of ours says anything: counted once it is final.
ALTER TABLE fee_wallet
  ADD COLUMN counted_to timestamptz, -- null: nothing is counted yet
  ADD COLUMN owners_pence bigint NOT NULL DEFAULT 0; -- until then: paid in less taken out
