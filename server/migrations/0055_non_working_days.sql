-- Where an occurrence goes that falls on a weekend or a bank holiday.
ALTER TABLE schedule_terms ADD COLUMN non_working_day text NOT NULL DEFAULT 'same';
ALTER TABLE schedule_terms ADD CONSTRAINT schedule_terms_known_non_working_day
  CHECK (non_working_day IN ('same', 'next', 'previous'));
