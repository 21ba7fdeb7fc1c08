#!/bin/sh
# What the image of PostgreSQL runs when it makes its data, in compose.yaml.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres --file=/etc/recollect/roles.sql \
  --set=owner="$(cat /run/secrets/owner_password)" --set=service="$(cat /run/secrets/service_password)"
