-- Safe beside the previous version: both functions do what they did.
-- In PL/pgSQL, because a node of a cluster runs them on its own rows only if the merchant is known when each statement is planned.
CREATE OR REPLACE FUNCTION redact_events(of_merchant text, of_customer text, ids text[], bodies text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE events e SET body = n.body FROM unnest(ids, bodies) AS n (event_id, body)
  WHERE e.merchant_id = of_merchant AND e.event_id = n.event_id
    AND e.schedule_id IN (SELECT schedule_id FROM schedules WHERE merchant_id = of_merchant AND customer_id = of_customer);
END $$;
CREATE OR REPLACE FUNCTION redact_refund_reasons(of_merchant text, of_customer text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE state_changes SET reason = 'asked for' WHERE merchant_id = of_merchant AND from_state IS NULL
    AND object_id LIKE 'ref\_%' AND reason LIKE 'asked for: %'
    AND schedule_id IN (SELECT schedule_id FROM schedules WHERE merchant_id = of_merchant AND customer_id = of_customer);
END $$;
