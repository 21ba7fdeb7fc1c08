-- What stands on the customer's statement, as the merchant asked for it. Null: derived from the schedule's id.
ALTER TABLE schedules ADD COLUMN statement_reference text
  CONSTRAINT schedules_statement_reference_fits CHECK (length(statement_reference) BETWEEN 6 AND 18);
