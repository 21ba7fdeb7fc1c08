-- A consent ends for a bank's word only when two looks, at least an hour apart, say so. Between them it is in doubt, and no
-- payment order is sent under it. Many doubts at one bank at once are the bank's fault, and nothing ends by its word then.

ALTER TABLE consents
  ADD COLUMN looked_at         timestamptz, -- when the bank last proved what it holds
  ADD COLUMN doubted_at        timestamptz, -- the first look that said that the consent is over; null: it stands
  ADD COLUMN look_again_at     timestamptz, -- when the bank is to be asked, beside the look before each collection
  ADD COLUMN look_tries        int NOT NULL DEFAULT 0, -- looks since that decided nothing
  ADD COLUMN suspended_at      timestamptz, -- since when the bank wants the customer's renewed authentication
  ADD COLUMN limits_changed_at timestamptz; -- when the bank last reported other limits than those that stood here

CREATE INDEX consents_look_again ON consents (look_again_at) WHERE look_again_at IS NOT NULL;
CREATE INDEX consents_looked_at ON consents (bank_id, looked_at) WHERE looked_at IS NOT NULL;
CREATE INDEX consents_in_doubt ON consents (bank_id) WHERE doubted_at IS NOT NULL AND status = 'granted';

-- The looks that began, ended or confirmed a doubt: the evidence of every end by a bank's word.
CREATE TABLE consent_looks (
  merchant_id  text NOT NULL,
  consent_id   text NOT NULL,
  at           timestamptz NOT NULL,
  bank_id      text NOT NULL,
  said         text NOT NULL CHECK (said IN ('over', 'stands')),
  evidence     text NOT NULL, -- the bank's status and reason
  PRIMARY KEY (merchant_id, consent_id, at),
  FOREIGN KEY (merchant_id, consent_id) REFERENCES consents (merchant_id, consent_id)
);
CREATE TRIGGER consent_looks_are_final BEFORE UPDATE OR DELETE ON consent_looks
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The limits that a bank reported in place of those before.
CREATE TABLE consent_limit_changes (
  merchant_id  text NOT NULL,
  consent_id   text NOT NULL,
  at           timestamptz NOT NULL,
  before       jsonb NOT NULL,
  after        jsonb NOT NULL,
  PRIMARY KEY (merchant_id, consent_id, at),
  FOREIGN KEY (merchant_id, consent_id) REFERENCES consents (merchant_id, consent_id)
);
CREATE TRIGGER consent_limit_changes_are_final BEFORE UPDATE OR DELETE ON consent_limit_changes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Since when, and until when, the service did not act on a bank's answers about consents.
CREATE TABLE bank_distrusts (
  bank_id   text NOT NULL,
  since     timestamptz NOT NULL,
  vanished  int NOT NULL,      -- consents that vanished in the hour before
  looked_at int NOT NULL,      -- of so many looked at
  ended_at  timestamptz,
  ended_by  text,              -- an operator's words, or that the bank disagreed with itself
  PRIMARY KEY (bank_id, since)
);
CREATE UNIQUE INDEX bank_distrusts_open ON bank_distrusts (bank_id) WHERE ended_at IS NULL;
