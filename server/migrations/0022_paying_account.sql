-- The account that pays under a consent: sealed whole, and the end of its number, which alone is ever shown.
ALTER TABLE consents
  ADD COLUMN paying_account text,
  ADD COLUMN paying_account_ending text CHECK (paying_account_ending ~ '^[0-9]{4}$'),
  ADD CONSTRAINT consents_paying_account_whole CHECK ((paying_account IS NULL) = (paying_account_ending IS NULL));
