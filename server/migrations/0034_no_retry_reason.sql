-- Why no retry follows a failed payment, as the merchant reads it.
ALTER TABLE payments ADD COLUMN no_retry_reason text
  CHECK (no_retry_reason IN ('final', 'max_retries', 'next_occurrence', 'end_date', 'limits', 'by_hand', 'stopped'));
