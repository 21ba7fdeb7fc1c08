-- Consents that lie unused: docs/rules/consents.md#consents-that-lie-unused.
-- Safe beside the previous version: it knows nothing of these, and leaves them as they are.
-- From when on nothing is known to have been collected under a granted consent; null: since it was granted.
ALTER TABLE consents ADD COLUMN unused_since timestamptz;
CREATE INDEX consents_unused ON consents ((coalesce(unused_since, granted_at))) WHERE status = 'granted';
