-- `leased_until`: while it equals `due_at`, a process works on the payment. `news_at`: when something new was heard of it meanwhile: it is
-- due then, and not before the lease ends.
ALTER TABLE payment_work ADD COLUMN leased_until timestamptz, ADD COLUMN news_at timestamptz;
