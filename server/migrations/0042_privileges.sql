-- What is written once is kept so by privileges. The owner of the tables runs the migrations; the service works under
-- recollect_engine, which may add such rows and read them, and nothing else. Whatever a migration says nothing of is opened
-- to it as a whole after the migrations.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'recollect_engine') THEN
    BEGIN
      CREATE ROLE recollect_engine NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database of this server was quicker
    END;
  END IF;
  BEGIN
    SET LOCAL ROLE recollect_engine;
    RESET ROLE;
  EXCEPTION WHEN insufficient_privilege THEN -- whoever creates a role may grant it, but not yet take it on
    EXECUTE format('GRANT recollect_engine TO %I', current_user);
  END;
END $$;

DROP TRIGGER transfers_are_final ON transfers;
DROP TRIGGER schedule_terms_are_final ON schedule_terms;
DROP TRIGGER events_are_final ON events;
DROP TRIGGER state_changes_are_final ON state_changes;
DROP TRIGGER consent_looks_are_final ON consent_looks;
DROP TRIGGER consent_limit_changes_are_final ON consent_limit_changes;
DROP FUNCTION refuse_change();
GRANT SELECT, INSERT ON transfers, schedule_terms, events, state_changes, consent_looks, consent_limit_changes TO recollect_engine;
GRANT SELECT ON migrations TO recollect_engine;
REVOKE UPDATE ON transfers, schedule_terms, state_changes FROM recollect_api;

-- The one way to remove what is written once: all of it, and in a sandbox only.
CREATE FUNCTION empty_tables(names text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM deployment WHERE mode = 'live') THEN
    RAISE EXCEPTION 'this database is stamped live: only the tables of a sandbox can be emptied';
  END IF;
  EXECUTE (SELECT 'TRUNCATE ' || string_agg(quote_ident(name), ', ') FROM unnest(names) AS name);
END $$;
REVOKE EXECUTE ON FUNCTION empty_tables FROM PUBLIC;
GRANT EXECUTE ON FUNCTION empty_tables TO recollect_engine;
