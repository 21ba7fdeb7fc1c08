-- Safe beside the previous version: it never writes the new kind, and reads it as a hold that it does not know.
-- Pay-outs also wait after one owner alone has sent them to another account: until `ends_at`; null: until somebody ends the hold.
ALTER TABLE merchant_holds DROP CONSTRAINT merchant_holds_known_kind;
ALTER TABLE merchant_holds ADD CONSTRAINT merchant_holds_known_kind CHECK (kind IN ('suspended', 'pay_outs', 'account_changed'));
ALTER TABLE merchant_holds ADD COLUMN ends_at timestamptz;
GRANT INSERT, UPDATE ON merchant_holds TO recollect_api;
GRANT USAGE ON SEQUENCE state_changes_change_id_seq TO recollect_api; -- the place of a hold among the orders
CREATE POLICY gives_account_holds ON merchant_holds AS RESTRICTIVE FOR INSERT TO recollect_api WITH CHECK (kind = 'account_changed');
CREATE POLICY ends_account_holds ON merchant_holds AS RESTRICTIVE FOR UPDATE TO recollect_api USING (kind = 'account_changed');
CREATE INDEX merchant_holds_ending ON merchant_holds (ends_at) WHERE ended_at IS NULL AND ends_at IS NOT NULL;
