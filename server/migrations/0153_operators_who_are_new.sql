-- From when an operator counts as the second person of a decision that takes two, in business time. Whom another operator gave a way
-- in, and who could so be them, waits a day: else one operator would be two. Null: at once.
ALTER TABLE operators ADD COLUMN confirms_from timestamptz;
