-- A link for a new password holds only as long as whoever made it could make it: who goes takes theirs along, unseen ones too.
-- Both columns empty: the operator made it.
ALTER TABLE user_links
  ADD COLUMN merchant_id text,
  ADD COLUMN made_by text,
  ADD CONSTRAINT user_links_maker CHECK ((merchant_id IS NULL) = (made_by IS NULL)),
  ADD CONSTRAINT user_links_of_member FOREIGN KEY (merchant_id, user_id) REFERENCES members (merchant_id, user_id) ON DELETE CASCADE,
  ADD CONSTRAINT user_links_by_member FOREIGN KEY (merchant_id, made_by) REFERENCES members (merchant_id, user_id) ON DELETE CASCADE;
CREATE INDEX user_links_made_by ON user_links (merchant_id, made_by) WHERE made_by IS NOT NULL;

DROP POLICY own_members ON user_links;
CREATE POLICY own_members ON user_links FOR INSERT TO recollect_api
  WITH CHECK (
    purpose = 'set_password'
    AND merchant_id = current_setting('recollect.merchant_id')
    AND EXISTS (SELECT FROM team_members t WHERE t.user_id = user_links.user_id AND NOT t.works_elsewhere)
  );
