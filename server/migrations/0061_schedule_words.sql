-- What a schedule is found by: the words of its description, of its metadata's values and of its statement reference, and its amounts.
-- An index of words beside the table, as for customers: with row-level security a range of texts may use an index, "contains" may not.
CREATE TABLE schedule_words (
  merchant_id text NOT NULL,
  word text COLLATE "C" NOT NULL,
  schedule_id text COLLATE "C" NOT NULL,
  CONSTRAINT schedule_words_pkey PRIMARY KEY (merchant_id, word, schedule_id)
);
ALTER TABLE schedule_words ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON schedule_words TO recollect_api USING (merchant_id = current_setting('recollect.merchant_id'));
GRANT SELECT, INSERT, DELETE ON schedule_words TO recollect_api;
CREATE TRIGGER never_emptied_live BEFORE TRUNCATE ON schedule_words
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_on_a_live_database();

INSERT INTO schedule_words (merchant_id, word, schedule_id)
SELECT DISTINCT merchant_id, word, schedule_id
FROM schedules, regexp_split_to_table(lower(description), '[^[:alnum:]]+') AS word WHERE word <> '';
