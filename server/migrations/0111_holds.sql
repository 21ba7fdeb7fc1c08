-- What operators hold: each is a state with who, why and since when. `suspended`: no new schedules, no payment orders.
-- `pay_outs`: settlements wait. `sequence` places begin and end among the orders, under the lock of `merchants/hold-store.ts`.
CREATE TABLE merchant_holds (
  merchant_id text NOT NULL,
  kind text NOT NULL,
  since timestamptz NOT NULL,
  given_by text NOT NULL,
  reason text NOT NULL,
  sequence bigint NOT NULL DEFAULT nextval('state_changes_change_id_seq'),
  ended_at timestamptz,
  ended_by text,
  end_reason text,
  end_sequence bigint,
  CONSTRAINT merchant_holds_pkey PRIMARY KEY (merchant_id, kind, since),
  CONSTRAINT merchant_holds_known_kind CHECK (kind IN ('suspended', 'pay_outs')),
  CONSTRAINT merchant_holds_whole_end CHECK (num_nulls(ended_at, ended_by, end_reason, end_sequence) IN (0, 4)),
  CONSTRAINT merchant_holds_of_merchant FOREIGN KEY (merchant_id) REFERENCES merchants (merchant_id)
);
CREATE UNIQUE INDEX merchant_holds_open ON merchant_holds (merchant_id, kind) WHERE ended_at IS NULL;
ALTER TABLE merchant_holds ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON merchant_holds TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON merchant_holds TO recollect_api;

-- Banks to which no payment order is sent.
CREATE TABLE bank_stops (
  bank_id text NOT NULL,
  since timestamptz NOT NULL,
  given_by text NOT NULL,
  reason text NOT NULL,
  sequence bigint NOT NULL DEFAULT nextval('state_changes_change_id_seq'),
  ended_at timestamptz,
  ended_by text,
  end_reason text,
  end_sequence bigint,
  CONSTRAINT bank_stops_pkey PRIMARY KEY (bank_id, since),
  CONSTRAINT bank_stops_whole_end CHECK (num_nulls(ended_at, ended_by, end_reason, end_sequence) IN (0, 4))
);
CREATE UNIQUE INDEX bank_stops_open ON bank_stops (bank_id) WHERE ended_at IS NULL;

-- When its pay-out was last ordered at the issuer, and where among holds.
ALTER TABLE settlements ADD COLUMN ordered_at timestamptz, ADD COLUMN order_sequence bigint;
