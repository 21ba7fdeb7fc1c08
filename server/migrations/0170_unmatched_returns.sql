-- Safe beside the previous version: each new constraint permits whatever the old one did, or refuses what no issuer pays.
-- Money that came back, or never got on to the merchant, is unallocated until a person decides.
ALTER TABLE unallocated_items DROP CONSTRAINT unallocated_items_known_reason;
ALTER TABLE unallocated_items ADD CONSTRAINT unallocated_items_known_reason CHECK (reason IN ('nothing_awaited', 'another_amount',
  'another_wallet', 'paid_already', 'later_attempt', 'left_over', 'came_back', 'not_transferred')) NOT VALID;
ALTER TABLE unallocated_items DROP CONSTRAINT unallocated_items_known_status;
ALTER TABLE unallocated_items ADD CONSTRAINT unallocated_items_known_status CHECK (status IN ('open', 'allocated',
  'accepted_in_part', 'returned', 'paid_on', 'credited')) NOT VALID;
-- The issuer's id of the pay-out that came back, and what of ours it was: a settlement, a refund or an earlier item.
ALTER TABLE unallocated_items ADD COLUMN original_movement_id text;
ALTER TABLE unallocated_items ADD COLUMN came_back_of text;

ALTER TABLE transfers DROP CONSTRAINT transfers_known_kind;
ALTER TABLE transfers ADD CONSTRAINT transfers_known_kind CHECK (kind IN ('pay_in', 'move', 'settle', 'settle_back', 'pay_out',
  'extra_pay_in', 'claim', 'claim_back', 'allocate', 'give_back', 'pay_out_return', 'recall', 'net', 'cover', 'refund',
  'refund_back', 'refund_out', 'fee', 'fee_out', 'set_aside')) NOT VALID;

-- How many keys of transfers were used before an operator set the payment's money aside: they are not used again.
ALTER TABLE payments ADD COLUMN transfer_keys_used integer NOT NULL DEFAULT 0;

-- No single pay-out is larger than Faster Payments carry; one of an earlier version that was, and failed, goes out in parts.
ALTER TABLE settlements ADD CONSTRAINT settlements_amount_within_largest
  CHECK (amount_pence <= 100000000 OR status = 'failed') NOT VALID;

-- What a person gave to a merchant's balance of money that came back: settlements pay it out.
CREATE TABLE came_back_lines (
  merchant_id text NOT NULL,
  item_id text NOT NULL,
  amount_pence bigint NOT NULL,
  settle_at timestamptz,
  settlement_id text,
  -- Failed settlements that had it before.
  carried_by text[] NOT NULL DEFAULT '{}',
  CONSTRAINT came_back_lines_pkey PRIMARY KEY (merchant_id, item_id),
  CONSTRAINT came_back_lines_amount_above_zero CHECK (amount_pence > 0),
  CONSTRAINT came_back_lines_have_a_day CHECK (settle_at IS NOT NULL),
  CONSTRAINT came_back_lines_of_item FOREIGN KEY (merchant_id, item_id) REFERENCES unallocated_items (merchant_id, item_id),
  CONSTRAINT came_back_lines_in_settlement FOREIGN KEY (merchant_id, settlement_id)
    REFERENCES settlements (merchant_id, settlement_id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX came_back_lines_due ON came_back_lines (settle_at) WHERE settlement_id IS NULL AND settle_at IS NOT NULL;
CREATE INDEX came_back_lines_to_net ON came_back_lines (merchant_id) WHERE settlement_id IS NULL;
ALTER TABLE came_back_lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON came_back_lines TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT ON came_back_lines TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON came_back_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

-- When the log last said that a payment under way waits.
ALTER TABLE payment_work ADD COLUMN reported_at timestamptz;

-- Since when a notice waits for what it is about, such as a recall for its pay-in.
ALTER TABLE inbox ADD COLUMN waiting_since timestamptz;
CREATE INDEX inbox_waiting ON inbox (source, waiting_since) WHERE waiting_since IS NOT NULL AND due_at IS NOT NULL;

-- The bank had said that it has paid when a person ended the attempt, and the money had not come.
ALTER TABLE payment_evidence ADD COLUMN was_credited boolean NOT NULL DEFAULT false;
