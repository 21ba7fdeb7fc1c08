-- What a customer has granted is looked up whenever a schedule is made that may share a consent.
CREATE INDEX consents_granted_of_customer ON consents (merchant_id, customer_id) WHERE status = 'granted';

-- Which merchants have money due out is asked of all; what of it is one merchant's has an index of its own. Where the planner knew
-- of nothing that waits it took the smaller of the two for both, and read the due payments of all for each merchant.
DROP INDEX payments_to_settle;
CREATE INDEX payments_to_settle ON payments (settle_at)
  WHERE status = 'success' AND settlement_id IS NULL AND settle_at IS NOT NULL;
