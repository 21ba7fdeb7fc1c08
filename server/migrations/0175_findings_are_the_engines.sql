-- Safe beside the previous version: none was released. Requests of a merchant read how each law stands, and not what breaks it,
-- which names other merchants. unknown_reason: why a law could not be checked, naming nobody; null: it could.
ALTER TABLE law_findings ADD COLUMN unknown_reason text;
REVOKE SELECT ON law_findings FROM recollect_api;
GRANT SELECT (law, sentence, holds, checked_at, unknown_since, unknown_reason) ON law_findings TO recollect_api;
