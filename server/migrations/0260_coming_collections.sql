-- Safe beside the previous version: it notifies of changes alone, and passes over a merchant that has no days for them.
-- A merchant may want its customers to hear of changes, of each coming collection, or of both.
ALTER TABLE announcements
  ALTER COLUMN days_ahead DROP NOT NULL,
  ADD COLUMN coming_days_ahead integer CONSTRAINT announcements_coming_days_in_range CHECK (coming_days_ahead BETWEEN 1 AND 30);
