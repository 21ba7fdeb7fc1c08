-- With the schedule in it, the schedules of the newest failures are read from the index alone. A collection that works is not in it.
DROP INDEX payments_failed;
CREATE INDEX payments_failed ON payments (merchant_id, due_date DESC, payment_id DESC) INCLUDE (schedule_id)
  WHERE failed_at IS NOT NULL;
