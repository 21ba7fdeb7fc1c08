-- An occurrence that cannot be opened, whatever the reason, is left for a while so that it holds up no other. Its moment
-- (`due_at`) stays what it is: it is the occurrence itself.
ALTER TABLE schedules ADD COLUMN put_off_until timestamptz;
CREATE INDEX schedules_put_off ON schedules (put_off_until) WHERE put_off_until IS NOT NULL;
