-- Safe beside the previous version: it only adds; the right that is revoked is that of everybody to the new function.
-- Which history was moved out of the database into files: docs/rules/retention.md#the-archive. One archive is one month, written once; `horizon` is the
-- moment before which everything in it happened. From `verified_at` on its rows may be deleted, until `ended_at`.
CREATE TABLE archives (
  archive_id text NOT NULL,
  month date NOT NULL,
  horizon timestamptz NOT NULL,
  folder text NOT NULL,
  started_by text NOT NULL,
  started_at timestamptz NOT NULL,
  runner text NOT NULL,
  leased_until timestamptz NOT NULL,
  subjects integer NOT NULL DEFAULT 0,
  left_over integer NOT NULL DEFAULT 0,
  stayed text[] NOT NULL DEFAULT '{}',
  row_counts jsonb NOT NULL DEFAULT '{}',
  manifest_sha256 text,
  work_sha256 text,
  verified_at timestamptz,
  ended_at timestamptz,
  CONSTRAINT archives_pkey PRIMARY KEY (archive_id),
  CONSTRAINT archives_month_begins CHECK (extract(day FROM month) = 1),
  CONSTRAINT archives_verified_with_digests CHECK (num_nulls(verified_at, manifest_sha256, work_sha256) IN (0, 3)),
  CONSTRAINT archives_ended_once_verified CHECK (ended_at IS NULL OR verified_at IS NOT NULL OR subjects = 0)
);
CREATE UNIQUE INDEX archives_one_open ON archives ((true)) WHERE ended_at IS NULL;
GRANT SELECT ON archives TO recollect_api;

-- Deletes events and state changes that are in a verified archive. Both are written once, so neither role of the service may delete
-- them; this function may, of the archive that is under way, what happened before its horizon, and only rows that are as they were read.
CREATE FUNCTION delete_archived(
  of_archive text, of_merchant text, change_ids bigint[], change_versions text[], event_ids text[], event_versions text[]
) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  until timestamptz;
  changes integer;
  told integer;
BEGIN
  SELECT horizon INTO until FROM archives WHERE archive_id = of_archive AND verified_at IS NOT NULL AND ended_at IS NULL;
  IF until IS NULL THEN
    RAISE EXCEPTION 'archive % is not verified, or it has ended', of_archive;
  END IF;
  DELETE FROM state_changes c USING unnest(change_ids, change_versions) AS k (id, version)
    WHERE c.merchant_id = of_merchant AND c.change_id = k.id AND c.at < until AND c.xmin::text = k.version;
  GET DIAGNOSTICS changes = ROW_COUNT;
  DELETE FROM events e USING unnest(event_ids, event_versions) AS k (id, version)
    WHERE e.merchant_id = of_merchant AND e.event_id = k.id AND e.created_at < until AND e.xmin::text = k.version;
  GET DIAGNOSTICS told = ROW_COUNT;
  RETURN changes + told;
END $$;
REVOKE EXECUTE ON FUNCTION delete_archived FROM PUBLIC;
GRANT EXECUTE ON FUNCTION delete_archived TO recollect_engine;
