-- Safe beside the previous version: the function is new, and older versions do not call it.
-- Replaces bodies of one customer's events when the customer is erased. Events are written once, so neither role of the service may
-- change them; this function, which belongs to the tables' owner, may, and only those of the customer that it is given.
CREATE FUNCTION redact_events(of_merchant text, of_customer text, ids text[], bodies text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE events e SET body = n.body FROM unnest(ids, bodies) AS n (event_id, body)
  WHERE e.merchant_id = of_merchant AND e.event_id = n.event_id
    AND e.schedule_id IN (SELECT schedule_id FROM schedules WHERE merchant_id = of_merchant AND customer_id = of_customer);
$$;
REVOKE EXECUTE ON FUNCTION redact_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION redact_events TO recollect_engine;
