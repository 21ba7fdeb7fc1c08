-- Safe beside the previous version: what it moves to `authorised` has no moment, and begins with its grant as before.
-- When the customer agreed at the bank: what falls due from then on is collected, however late the wallet opens.
ALTER TABLE consents ADD COLUMN agreed_at timestamptz;
