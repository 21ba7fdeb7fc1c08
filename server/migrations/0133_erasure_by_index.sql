-- Finds what is held of a customer, for an erasure and an export: the issuer's notices about their wallets (the bodies are ours, written as
-- JSON; one that is none has no entry), their wallets, changes of their details, and notices to them and about what is theirs.
CREATE INDEX inbox_by_wallet ON inbox (substring(body FROM '"externalReference": ?"([^"]*)"')) WHERE source = 'issuer';
CREATE INDEX wallets_of_customer ON wallets (merchant_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX state_changes_of_object ON state_changes (merchant_id, object_id) WHERE schedule_id IS NULL;
CREATE INDEX notices_of_cause ON notices (merchant_id, cause_id);
CREATE INDEX notices_of_customer ON notices (merchant_id, customer_id) WHERE customer_id IS NOT NULL;
