-- Room on its page for what soon happens to a row, so that no index is written again: a payment changes once, by its success; an attempt
-- twice, before the bank's id of its payment is written, which has an index; an agenda moves on, and then numbers the event.
ALTER TABLE payments SET (fillfactor = 48);
ALTER TABLE attempts SET (fillfactor = 35);
ALTER TABLE schedule_agenda SET (fillfactor = 45);
