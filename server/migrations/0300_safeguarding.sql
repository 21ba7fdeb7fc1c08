-- Safe beside the previous version: it knows nothing of these.
-- The safeguarding day: docs/rules/safeguarding.md. One run for each reconciliation day, as of the reconciliation point.
CREATE TABLE safeguarding_runs (
  issuer               text NOT NULL,
  date                 date NOT NULL,
  as_of                timestamptz NOT NULL,
  seat                 text NOT NULL,
  made_at              timestamptz NOT NULL,
  customers_pence      bigint NOT NULL,
  merchants_pence      bigint NOT NULL,
  paying_out_pence     bigint NOT NULL,
  unallocated_pence    bigint NOT NULL,
  receipts_pence       bigint NOT NULL, -- of these, received since the previous business day began
  fees_pence           bigint NOT NULL,
  recalled_pence       bigint NOT NULL,
  held_pence           bigint NOT NULL,
  clients              int NOT NULL,
  issuer_pence         bigint, -- null: it could not be read
  timing_pence         bigint,
  unknown              text,
  answered_at          timestamptz,
  answered_by          text,
  answer               text,
  paid_in_pence        bigint NOT NULL DEFAULT 0,
  taken_out_pence      bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (issuer, date),
  CONSTRAINT safeguarding_runs_answered_by_somebody
    CHECK ((answered_at IS NULL) = (answered_by IS NULL) AND (answered_at IS NULL) = (answer IS NULL)),
  CONSTRAINT safeguarding_runs_compared_or_unknown
    CHECK ((issuer_pence IS NULL) = (unknown IS NOT NULL) AND (issuer_pence IS NULL) = (timing_pence IS NULL)),
  CONSTRAINT safeguarding_runs_moved_not_below_zero CHECK (paid_in_pence >= 0 AND taken_out_pence >= 0)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON safeguarding_runs TO recollect_engine;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON safeguarding_runs
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What was not done by its time, each once; `about` is the day, or the item of unallocated money.
CREATE TABLE safeguarding_breaches (
  issuer        text NOT NULL,
  kind          text NOT NULL,
  about         text NOT NULL,
  merchant_id   text,
  amount_pence  bigint,
  deadline      timestamptz NOT NULL,
  found_at      timestamptz NOT NULL,
  ended_at      timestamptz, -- null: it still stands
  explained_at  timestamptz,
  explained_by  text,
  explanation   text,
  PRIMARY KEY (issuer, kind, about),
  CONSTRAINT safeguarding_breaches_known_kind CHECK (kind IN
    ('no_run', 'not_compared', 'not_answered', 'shortfall', 'excess', 'difference', 'receipt')),
  CONSTRAINT safeguarding_breaches_explained_by_somebody
    CHECK ((explained_at IS NULL) = (explained_by IS NULL) AND (explained_at IS NULL) = (explanation IS NULL))
);
CREATE INDEX safeguarding_breaches_standing ON safeguarding_breaches (issuer, deadline) WHERE ended_at IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON safeguarding_breaches TO recollect_engine;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON safeguarding_breaches
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- What the books cannot know: accounts, acknowledgement letters, agents, banks, subcontractors, people. Nothing is overwritten.
CREATE TABLE safeguarding_register (
  entry_id    text PRIMARY KEY,
  kind        text NOT NULL,
  name        text NOT NULL,
  identifier  text,
  note        text,
  added_at    timestamptz NOT NULL,
  added_by    text NOT NULL,
  ended_at    timestamptz,
  ended_by    text,
  CONSTRAINT safeguarding_register_known_kind CHECK (kind IN
    ('account', 'letter', 'agreement', 'agent', 'bank', 'insurance', 'group_member', 'subcontractor', 'person', 'document')),
  CONSTRAINT safeguarding_register_ended_by_somebody CHECK ((ended_at IS NULL) = (ended_by IS NULL))
);
GRANT SELECT, INSERT, UPDATE, DELETE ON safeguarding_register TO recollect_engine;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON safeguarding_register
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

CREATE TABLE safeguarding_agenda (
  only_one  boolean PRIMARY KEY DEFAULT true,
  since     date, -- the first day that is looked after; null: none was yet
  due_at    timestamptz,
  CONSTRAINT safeguarding_agenda_one_row CHECK (only_one)
);
INSERT INTO safeguarding_agenda (due_at) VALUES ('1970-01-01T00:00:00Z');
CREATE INDEX safeguarding_agenda_due ON safeguarding_agenda (due_at) WHERE due_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON safeguarding_agenda TO recollect_engine;

-- Receipts that were of no client until a moment: by their end, as the open ones are by their opening.
CREATE INDEX unallocated_items_ended ON unallocated_items (ended_at) WHERE status <> 'open';
