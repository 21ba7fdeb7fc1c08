-- Limits apart from the amount. Null: the limit that the terms need.
ALTER TABLE schedule_terms
  ADD COLUMN per_payment_pence bigint CONSTRAINT schedule_terms_per_payment_above_zero CHECK (per_payment_pence > 0),
  ADD COLUMN per_period_pence bigint CONSTRAINT schedule_terms_per_period_above_zero CHECK (per_period_pence > 0);
