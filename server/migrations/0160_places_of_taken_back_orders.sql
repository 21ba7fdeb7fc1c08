-- The place at which an order was taken back, in the one sequence of orders and changes of state. Null: it stands, or was taken back
-- by the previous version, which knows the moment alone.
ALTER TABLE payment_orders ADD COLUMN taken_back_sequence bigint;
