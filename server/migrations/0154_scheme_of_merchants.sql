-- What the payment scheme wants to know of a merchant. New consents carry all but the use case, for which the standard has no field; a
-- consent that exists keeps what it was made with.
ALTER TABLE merchants ADD COLUMN use_case text;
ALTER TABLE merchants ADD COLUMN category_code text;
ALTER TABLE merchants ADD COLUMN payment_context text NOT NULL DEFAULT 'merchant_initiated';
ALTER TABLE merchants ADD COLUMN purpose_code text;
