-- The member who invites; null: the operator. An invitation works only while its maker is an owner of the team.
ALTER TABLE invitations
  ADD COLUMN inviter_id text,
  ADD CONSTRAINT invitations_inviter_known CHECK (by_operator = (inviter_id IS NULL));
