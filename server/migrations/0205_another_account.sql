-- Another account of a customer: docs/rules/consents.md#another-account.
-- Safe beside the previous version as long as nobody uses it: that version would send what was due before under the consent that was
-- left (docs/guides/operators.md#upgrade).
-- Whether the link was made so that the customer pays from another account: what waits under the consent before follows it.
ALTER TABLE consents ADD COLUMN another_account boolean NOT NULL DEFAULT false;
-- Whether the customer pays from another account now: what is not with a bank yet goes under the consent that the schedule has.
ALTER TABLE payment_work ADD COLUMN moves_on boolean NOT NULL DEFAULT false;
-- The consent under which it was ordered, where its payment has gone under another one since; null: that of the payment.
ALTER TABLE attempts ADD COLUMN consent_id text;
