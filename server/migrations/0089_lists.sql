-- Amounts in the index of words sort as numbers do, so that a range of amounts is a range of the index. It has every amount that a
-- schedule's payments may have: of its terms, of single occurrences, and of payments besides them. So payments need no index on amounts.
DELETE FROM schedule_words WHERE word >= '£' AND word < '¤';
INSERT INTO schedule_words (merchant_id, word, schedule_id)
SELECT DISTINCT merchant_id, '£' || lpad(amount_pence::text, 12, '0'), schedule_id FROM schedule_terms
ON CONFLICT DO NOTHING;
INSERT INTO schedule_words (merchant_id, word, schedule_id)
SELECT DISTINCT merchant_id, '£' || lpad(amount_pence::text, 12, '0'), schedule_id FROM occurrence_changes
WHERE amount_pence IS NOT NULL
ON CONFLICT DO NOTHING;
INSERT INTO schedule_words (merchant_id, word, schedule_id)
SELECT DISTINCT merchant_id, '£' || lpad(amount_pence::text, 12, '0'), schedule_id FROM payments WHERE ad_hoc IS NOT NULL
ON CONFLICT DO NOTHING;

-- Payments with the reason of their last failure. A collection that works has none, and writes nothing here.
CREATE INDEX payments_of_error ON payments (merchant_id, error_code, due_date DESC, payment_id DESC)
  WHERE error_code IS NOT NULL;
