-- Safe beside the previous version: it uses none of this.
-- Who let whom in, written once: by it is judged whether two people are two. `by_id` is a member, an operator, `shell:<name>`
-- for a name typed on the command line, or `service`. `at` is business time; who is trusted is no newcomer for it.
CREATE TABLE let_ins (
  let_in_id    bigint GENERATED ALWAYS AS IDENTITY,
  person_id    text NOT NULL,
  by_id        text NOT NULL,
  how          text NOT NULL,
  merchant_id  text, -- the team that they came to; null: it counts everywhere
  at           timestamptz NOT NULL,
  is_trusted   boolean NOT NULL DEFAULT false,
  role         text, -- theirs on that team
  PRIMARY KEY (let_in_id),
  CONSTRAINT let_ins_known_how CHECK (how IN ('invited', 'promoted', 'made', 'reset', 'password', 'second_factor', 'key', 'identity')),
  CONSTRAINT let_ins_by_another CHECK (person_id <> by_id)
);
CREATE INDEX let_ins_of_person ON let_ins (person_id);
CREATE INDEX let_ins_of_merchant ON let_ins (merchant_id);
ALTER TABLE let_ins ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON let_ins TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT ON let_ins TO recollect_api;
GRANT SELECT, INSERT ON let_ins TO recollect_engine;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON let_ins FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What is known of one person: since when they are a newcomer, everybody who let them in, through others too, and when operators
-- last reset their account. The API's role
-- learns it of its own team's members, and of operators. UNION ends the recursion where people let each other in.
CREATE FUNCTION find_let_in(person text, of_merchant text)
RETURNS TABLE (newcomer_since timestamptz, let_in_by text[], reset_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH RECURSIVE above (id) AS (
    SELECT by_id FROM let_ins WHERE person_id = person
    UNION SELECT l.by_id FROM let_ins l JOIN above a ON l.person_id = a.id
  )
  SELECT
    (SELECT max(at) FROM let_ins
     WHERE person_id = person AND NOT is_trusted AND (merchant_id IS NULL OR merchant_id = of_merchant)),
    (SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM above WHERE id <> person),
    (SELECT max(at) FROM let_ins WHERE person_id = person AND how = 'reset')
  WHERE current_setting('role') <> 'recollect_api' OR person NOT LIKE 'usr\_%' OR EXISTS (
    SELECT FROM members WHERE merchant_id = current_setting('recollect.merchant_id', true) AND user_id = person)
$$;

-- Moves what is recorded with the clock of a sandbox that begins again.
CREATE FUNCTION shift_let_ins(ms bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM deployment WHERE mode = 'live') THEN
    RAISE EXCEPTION 'this database is stamped live: what is recorded of people does not move';
  END IF;
  UPDATE let_ins SET at = at + ms * interval '1 millisecond';
END $$;
REVOKE EXECUTE ON FUNCTION find_let_in, shift_let_ins FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_let_in TO recollect_engine, recollect_api;
GRANT EXECUTE ON FUNCTION shift_let_ins TO recollect_engine;

-- Owners who are there already: who was made one by another member within the last day is a newcomer since then.
INSERT INTO let_ins (person_id, by_id, how, merchant_id, role, at, is_trusted)
  SELECT user_id, 'service', 'made', merchant_id, role, coalesce(confirms_from - interval '24 hours', joined_at), confirms_from IS NULL
  FROM members WHERE role = 'owner';
