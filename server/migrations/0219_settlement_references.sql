-- What stands on the merchant's bank statement; null: a version without this column opened the settlement, and its pay-outs carry the
-- last 18 characters of its id.
ALTER TABLE settlements ADD COLUMN statement_reference text;
