-- A database belongs to one deployment, and is either a sandbox's or a live service's for as long as it exists.
CREATE TABLE deployment (
  only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  deployment_id  text NOT NULL,
  mode           text NOT NULL CHECK (mode IN ('sandbox', 'live')),
  stamped_at     timestamptz NOT NULL DEFAULT now()
);

-- The keys that this database has been opened with, each known by a value that tells nothing of it.
CREATE TABLE deployment_keys (
  purpose      text NOT NULL CHECK (purpose IN ('encryption', 'blind_index')),
  key_id       text NOT NULL, -- empty: the blind index has one key
  check_value  bytea NOT NULL,
  stamped_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (purpose, key_id)
);

-- A database that is in use already: the clock of a sandbox stands in each sandbox's, and in no other.
INSERT INTO deployment (deployment_id, mode)
SELECT gen_random_uuid()::text, CASE WHEN EXISTS (SELECT FROM sandbox_clock) THEN 'sandbox' ELSE 'live' END
WHERE EXISTS (SELECT FROM merchants);

CREATE FUNCTION refuse_to_change_the_stamp() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the stamp of a deployment is never changed';
END $$;
CREATE TRIGGER deployment_never_changes BEFORE UPDATE OR DELETE OR TRUNCATE ON deployment
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_the_stamp();
CREATE TRIGGER deployment_keys_never_change BEFORE UPDATE OR TRUNCATE ON deployment_keys
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_the_stamp();

-- The levers of a sandbox: emptying the books, and setting its clock. Whoever pulls them, here they end.
CREATE FUNCTION refuse_on_a_live_database() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM deployment WHERE mode = 'live') THEN
    RAISE EXCEPTION 'this database is stamped live: % on % is for a sandbox alone', TG_OP, TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER never_live BEFORE INSERT OR UPDATE ON sandbox_clock
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT tablename FROM pg_tables
    WHERE schemaname = current_schema AND tablename NOT IN ('deployment', 'deployment_keys', 'migrations')
  LOOP
    EXECUTE format(
      'CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database()',
      name);
  END LOOP;
END $$;
