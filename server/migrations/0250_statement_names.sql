-- Safe beside the previous version: it knows nothing of it, and a schedule that it makes has no reference of its own.
-- What default references begin with; null: a word of the merchant's name. docs/rules/schedules.md#statement-reference.
ALTER TABLE merchants ADD COLUMN statement_name text
  CONSTRAINT merchants_statement_name_fits CHECK (statement_name ~ '^[A-Z0-9]{1,10}$');
