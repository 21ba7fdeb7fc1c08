-- Safe beside the previous version, which knows no bank of an agenda: what it makes due is in the queue without a name.
-- Occurrences are opened for as many as their bank has room for, so each bank has a queue of its own. The bank is that of the consent when
-- the next occurrence was last set; a payment is sent to the bank of its consent, whatever the queue that it came from.
ALTER TABLE schedule_agenda ADD COLUMN bank_id text NOT NULL DEFAULT '';
CREATE INDEX schedule_agenda_by_bank ON schedule_agenda (bank_id, greatest(due_at, put_off_until)) WHERE due_at IS NOT NULL;
