-- Where each event stands in the feed of its merchant: docs/decisions/0058-a-feed-without-loss.md. Events from before this migration
-- have no position, and are not in the feed. A position is taken in a transaction that has an id already: whoever looks for
-- transactions that may still commit an earlier position finds it. A version that does not know the column fills it, too.
CREATE SEQUENCE event_positions;
GRANT USAGE ON SEQUENCE event_positions TO recollect_api;
ALTER TABLE events ADD COLUMN position bigint;
-- On a Citus cluster a sequence and the ids of transactions are each node's own: there is no feed there, and no position.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    ALTER TABLE events ALTER COLUMN position
      SET DEFAULT nextval(CASE WHEN pg_current_xact_id() IS NOT NULL THEN 'event_positions'::regclass END);
  END IF;
END $$;
