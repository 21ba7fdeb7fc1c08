-- Safe beside the previous version as long as nobody uses it: that version shows a first payment as an ad-hoc one, and opens none where
-- it grants the consent (docs/guides/operators.md#upgrade).
-- A first payment is collected as soon as the customer has agreed: docs/rules/payments.md#the-first-payment.
ALTER TABLE schedules ADD COLUMN first_payment_pence bigint; -- null: there is none
ALTER TABLE schedules ADD COLUMN first_payment_description text; -- null: that of the schedule
ALTER TABLE schedule_terms ADD COLUMN first_pence bigint; -- the consent to these terms has room for it; null: for none
ALTER TABLE payments ADD COLUMN is_first boolean; -- true: the first payment of its schedule, which is ad hoc too
