-- A change of a settlement account that an operator asks for needs a second operator: who agreed (an actor of the audit trail),
-- and why the first one asked. Both are null for the changes of owners.
ALTER TABLE settlement_account_changes ADD COLUMN agreed_by text;
ALTER TABLE settlement_account_changes ADD COLUMN reason text;
