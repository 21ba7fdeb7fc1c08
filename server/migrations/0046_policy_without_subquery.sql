-- Citus takes no policy with a subquery, so a function has it. Its text names the view, which Citus may then make anew.
CREATE FUNCTION is_own_member(member text) RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM team_members t WHERE t.user_id = member AND NOT t.works_elsewhere)
$$;
DROP POLICY own_members ON user_links;
CREATE POLICY own_members ON user_links FOR INSERT TO recollect_api
  WITH CHECK (
    purpose = 'set_password'
    AND merchant_id = current_setting('recollect.merchant_id')
    AND is_own_member(user_id)
  );
