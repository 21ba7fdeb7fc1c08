-- Safe beside the previous version: it reads and writes none of this, and finds settlements by their references without the index.
-- Under which reference the issuer says that it has the pay-out, where it is another one than ours; null: it is not.
ALTER TABLE settlements ADD COLUMN issuer_reference text;
DROP INDEX settlements_by_reference;
CREATE INDEX settlements_by_reference
  ON settlements (upper(coalesce(issuer_reference, statement_reference, right(settlement_id, 18))));
