-- A renewed token rewrote the row of its consent, with eleven indexes. Grants are in a narrow table of their own.

CREATE TABLE bank_grants (
  merchant_id  text NOT NULL,
  consent_id   text NOT NULL,
  bank_grant   text NOT NULL, -- sealed
  PRIMARY KEY (merchant_id, consent_id),
  CONSTRAINT bank_grants_of_consent FOREIGN KEY (merchant_id, consent_id) REFERENCES consents (merchant_id, consent_id)
) WITH (fillfactor = 50); -- room for the renewed grant beside the old one
INSERT INTO bank_grants (merchant_id, consent_id, bank_grant)
  SELECT merchant_id, consent_id, bank_grant FROM consents WHERE bank_grant IS NOT NULL;

ALTER TABLE bank_grants ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON bank_grants TO recollect_api
  USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON bank_grants TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON bank_grants
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

ALTER TABLE consents
  DROP CONSTRAINT consents_granted_have_bank_consent,
  DROP COLUMN bank_grant,
  ADD CONSTRAINT consents_granted_have_bank_consent
    CHECK (status <> 'granted' OR (bank_consent_id IS NOT NULL AND control_parameters IS NOT NULL));
