-- A recalled pay-in may have paid for a payment in part, and be on the unallocated list with the rest: a debt each.
ALTER TABLE debts
  DROP CONSTRAINT debts_one_per_movement,
  ADD CONSTRAINT debts_once_per_recall_and_wallet UNIQUE NULLS NOT DISTINCT (merchant_id, movement_id, wallet_id);
