-- Views of lists that a team has named: the list, and the filters, sort and columns of its address, sealed, for they may name a customer.
CREATE TABLE saved_views (
  merchant_id text NOT NULL,
  view_id text NOT NULL,
  list text NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  made_by text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT saved_views_pkey PRIMARY KEY (merchant_id, view_id),
  CONSTRAINT saved_views_one_per_name UNIQUE (merchant_id, list, name),
  CONSTRAINT saved_views_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
ALTER TABLE saved_views ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON saved_views TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE, DELETE ON saved_views TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON saved_views
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();
