-- The hourly check of the laws of money reads what changed and a share of the rest, not everything there is. For that, the sums of
-- transfers that no transaction can add to any more are sealed, and the check keeps its place in each table.

-- Transfers are read by ranges of their ids: text order must be time order, whatever the database's collation is.
ALTER TABLE transfers ALTER COLUMN transfer_id TYPE text COLLATE "C";

-- Transfers of this account posted from now on have ids made later than this. Kept for the merchant's own accounts.
ALTER TABLE accounts ADD COLUMN sealed_until timestamptz;

-- A run of a merchant's transfers that is complete: ids from `from_id` up to, and without, `to_id`.
CREATE TABLE transfer_seals (
  merchant_id text NOT NULL,
  from_id     text COLLATE "C" NOT NULL,
  to_id       text COLLATE "C" NOT NULL,
  transfers   integer NOT NULL,
  checksum    numeric NOT NULL, -- over accounts: a hash of the account times what these transfers add to it
  CONSTRAINT transfer_seals_pkey PRIMARY KEY (merchant_id, from_id),
  CONSTRAINT transfer_seals_forward CHECK (from_id < to_id)
);

-- What all sealed transfers of an account add up to; no row: nothing.
CREATE TABLE account_seals (
  merchant_id text NOT NULL,
  account_id  text NOT NULL,
  pence       bigint NOT NULL,
  CONSTRAINT account_seals_pkey PRIMARY KEY (merchant_id, account_id)
);

-- Where the rotating part of the check stands in each table; one round takes at most a day.
CREATE TABLE law_rounds (
  noun           text NOT NULL,
  began_at       timestamptz NOT NULL,
  after_merchant text NOT NULL,
  after_id       text NOT NULL,
  rows_read      bigint NOT NULL, -- in this round
  rows_before    bigint NOT NULL, -- in the whole round before
  CONSTRAINT law_rounds_pkey PRIMARY KEY (noun)
);

-- State changes up to `change_id` have been checked; those up to `next_change_id` are complete when no transaction older than
-- `next_xid` is open.
CREATE TABLE law_marks (
  only_one       boolean NOT NULL DEFAULT true,
  change_id      bigint NOT NULL,
  next_change_id bigint NOT NULL,
  next_xid       xid8 NOT NULL,
  CONSTRAINT law_marks_pkey PRIMARY KEY (only_one),
  CONSTRAINT law_marks_one_row CHECK (only_one)
);

-- What was found and still holds: checked again every hour.
CREATE TABLE law_breaches (
  law         text NOT NULL,
  noun        text NOT NULL,
  merchant_id text NOT NULL,
  id          text NOT NULL,
  what        text NOT NULL,
  CONSTRAINT law_breaches_pkey PRIMARY KEY (law, noun, merchant_id, id, what)
);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['transfer_seals', 'account_seals', 'law_rounds', 'law_marks', 'law_breaches'] LOOP
    EXECUTE format(
      'CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database()',
      name);
  END LOOP;
END $$;
