-- A bank may take a refresh token once: one process renews a grant at a time, and none overwrites a later one. Safe beside the previous
-- version, which renews without asking. `revision`: names the grant as it is, or the renewal that is under way until `renewing_until`.
ALTER TABLE bank_grants ADD COLUMN revision text, ADD COLUMN renewing_until timestamptz;
