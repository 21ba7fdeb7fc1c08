-- A customer whose personal data were erased: the row stays for the ledger, and nothing in it names a person.
-- Safe beside the previous version: the first check only becomes wider; the second concerns only erased customers, of which an older version writes none, and
-- docs/rules/privacy.md#erasure says that nobody is erased while one runs.
ALTER TABLE customers
  ADD COLUMN erased_at timestamptz,
  DROP CONSTRAINT customers_phone_or_bank_account,
  ADD CONSTRAINT customers_phone_or_bank_account
    CHECK (phone IS NOT NULL OR bank_account IS NOT NULL OR erased_at IS NOT NULL) NOT VALID;
ALTER TABLE customers VALIDATE CONSTRAINT customers_phone_or_bank_account;
ALTER TABLE customers
  ADD CONSTRAINT customers_erased_hold_nothing
    CHECK (erased_at IS NULL OR num_nonnulls(phone, phone_index, bank_account, bank_account_index, name, email, reference, notes) = 0);
