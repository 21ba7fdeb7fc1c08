-- Room on its page for what soon happens to an agenda, so that no index is written again: it moves on, and then numbers the event.
ALTER TABLE schedule_agenda SET (fillfactor = 45);
