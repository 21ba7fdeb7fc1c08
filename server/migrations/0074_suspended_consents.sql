-- "Needs attention" lists a merchant's consents that wait until their customers have confirmed them at the bank.
CREATE INDEX consents_suspended ON consents (merchant_id, suspended_at) WHERE suspended_at IS NOT NULL;
