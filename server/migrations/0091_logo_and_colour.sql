-- How a merchant looks to its customers. The logo is a column of its own row, which only whoever sends it reads.
CREATE TABLE merchant_looks (
  merchant_id text NOT NULL,
  colour text,
  logo bytea,
  logo_type text,
  logo_hash text,
  logo_width integer,
  logo_height integer,
  CONSTRAINT merchant_looks_pkey PRIMARY KEY (merchant_id),
  CONSTRAINT merchant_looks_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id),
  CONSTRAINT merchant_looks_colour_is_rgb CHECK (colour ~ '^#[0-9a-f]{6}$'),
  CONSTRAINT merchant_looks_known_type CHECK (logo_type IN ('image/png', 'image/jpeg')),
  CONSTRAINT merchant_looks_logo_is_small CHECK (octet_length(logo) <= 102400),
  CONSTRAINT merchant_looks_whole_logo CHECK (num_nulls(logo, logo_type, logo_hash, logo_width, logo_height) IN (0, 5))
);

ALTER TABLE merchant_looks ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON merchant_looks TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, UPDATE ON merchant_looks TO recollect_api;
