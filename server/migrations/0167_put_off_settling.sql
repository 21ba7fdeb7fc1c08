-- When a payment that was put off was to be settled at first; null: it was not put off.
ALTER TABLE to_settle ADD COLUMN put_off_from timestamptz;
