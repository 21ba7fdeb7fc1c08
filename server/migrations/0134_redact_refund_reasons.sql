-- Safe beside the previous version: the function is new, and older versions do not call it.
-- Takes what somebody wrote as the reason of a refund out of the audit trail when its customer is erased. The trail is written once, so
-- neither role of the service may change it; this function may change those lines, of the customer that it is given.
CREATE FUNCTION redact_refund_reasons(of_merchant text, of_customer text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE state_changes SET reason = 'asked for' WHERE merchant_id = of_merchant AND from_state IS NULL
    AND object_id LIKE 'ref\_%' AND reason LIKE 'asked for: %'
    AND schedule_id IN (SELECT schedule_id FROM schedules WHERE merchant_id = of_merchant AND customer_id = of_customer);
$$;
REVOKE EXECUTE ON FUNCTION redact_refund_reasons FROM PUBLIC;
GRANT EXECUTE ON FUNCTION redact_refund_reasons TO recollect_engine;
