-- The first occurrence too may move back to a working day, and how far is known.
ALTER TABLE schedule_terms ADD COLUMN not_before timestamptz; -- no occurrence moves before it; null: before first_at
