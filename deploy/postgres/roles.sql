-- The database and its two logins, once, by an administrator: one that owns the tables and migrates, one that serves and owns nothing.
--   psql --set=owner=<password> --set=service=<password> --file=roles.sql
CREATE ROLE recollect_api NOLOGIN;
CREATE ROLE recollect_engine NOLOGIN;
CREATE ROLE recollect_owner LOGIN PASSWORD :'owner';
CREATE ROLE recollect_service LOGIN PASSWORD :'service';
GRANT recollect_api, recollect_engine TO recollect_owner, recollect_service;
CREATE DATABASE recollect OWNER recollect_owner ENCODING 'UTF8' TEMPLATE template0;
