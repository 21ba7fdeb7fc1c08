-- attempts_at_bank leads with the bank's id for the payment, which is as good as unique: it also finds what a merchant searches
-- for, so a second index that only adds the merchant is written for nothing.
DROP INDEX attempts_by_bank_payment;
