-- What every collection writes again and again, in fewer places.

-- Ids ascend with the time at which they were made: the newest are the last of the primary key.
DROP INDEX payments_newest;
DROP INDEX schedules_newest;

-- Room on the page, so that a change of what no index holds touches none of them: when an attempt was sent, what is in a wallet.
ALTER TABLE attempts SET (fillfactor = 70);
ALTER TABLE accounts SET (fillfactor = 70);
