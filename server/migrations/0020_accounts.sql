-- An account that is there already joins a team by a link of its own, also where the operator puts somebody on it.
ALTER TABLE invitations ADD COLUMN by_operator boolean NOT NULL DEFAULT false;
ALTER TABLE invitations ALTER COLUMN by_operator DROP DEFAULT;

-- How an account came to be: an invitation says nothing of whose address it is.
ALTER TABLE users
  ADD COLUMN made_by text NOT NULL DEFAULT 'unknown' CHECK (made_by IN ('operator', 'invitation', 'unknown'));
