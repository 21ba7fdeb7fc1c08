-- What a merchant knows about a customer. Name, email and notes are sealed; the reference is the merchant's own id.
ALTER TABLE customers
  ADD COLUMN name text,
  ADD COLUMN email text,
  ADD COLUMN reference text,
  ADD COLUMN notes text;

-- What a customer is found by: blind indexes of the words of the name and the email, of the email, of the reference, and of how the
-- phone or account number ends. An index of words beside the table, because with row-level security only comparisons that leak
-- nothing may use an index: equality may, an array's "contains" may not.
CREATE TABLE customer_words (
  merchant_id text NOT NULL,
  word bytea NOT NULL,
  customer_id text NOT NULL,
  CONSTRAINT customer_words_pkey PRIMARY KEY (merchant_id, word, customer_id),
  CONSTRAINT customer_words_of_customer FOREIGN KEY (merchant_id, customer_id) REFERENCES customers (merchant_id, customer_id)
);
ALTER TABLE customer_words ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON customer_words TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, DELETE ON customer_words TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON customer_words
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
