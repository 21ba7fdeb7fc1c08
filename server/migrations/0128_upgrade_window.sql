-- A version works on a database that a newer one has added to. Where a migration takes away what older versions use, `needs` names
-- the migration that a version must know to work on: docs/guides/operators.md#upgrade.
ALTER TABLE migrations ADD COLUMN needs text;
