-- Every business day the books of the day before are held against the issuer's statement; what differs has an item until it is resolved.

CREATE TABLE reconciliations (
  issuer        text NOT NULL,
  date          date NOT NULL,
  made_at       timestamptz NOT NULL,
  lines         integer NOT NULL, -- of the issuer's statement
  wallets_pence bigint NOT NULL,
  in_settlement_pence bigint NOT NULL,
  unallocated_pence bigint NOT NULL,
  claims_pence  bigint NOT NULL,
  owed_pence    bigint NOT NULL,
  outside_pence bigint NOT NULL,
  differences   integer NOT NULL,
  unknown       text, -- what could not be compared, and why
  unknown_since timestamptz,
  PRIMARY KEY (issuer, date),
  CHECK ((unknown IS NULL) = (unknown_since IS NULL))
);

CREATE TABLE reconciliation_items (
  issuer        text NOT NULL,
  item          text NOT NULL, -- the kind of difference, and what it is about
  merchant_id   text,
  date          date NOT NULL, -- of the report that found it first
  amount_pence  bigint, -- by how much the issuer has more than our books
  what          text NOT NULL,
  found_at      timestamptz NOT NULL,
  seen_at       timestamptz NOT NULL,
  resolved_at   timestamptz,
  resolved_by   text,
  resolution    text,
  PRIMARY KEY (issuer, item),
  CHECK ((resolved_at IS NULL) = (resolved_by IS NULL) AND (resolved_at IS NULL) = (resolution IS NULL))
);
CREATE INDEX reconciliation_items_open ON reconciliation_items (issuer, found_at) WHERE resolved_at IS NULL;

-- When the next report is due; one row. The first look only finds out when that is.
CREATE TABLE reconciliation_agenda (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  due_at   timestamptz
);
CREATE INDEX reconciliation_agenda_due ON reconciliation_agenda (due_at) WHERE due_at IS NOT NULL;
INSERT INTO reconciliation_agenda (due_at) VALUES ('1970-01-01T00:00:00Z');
