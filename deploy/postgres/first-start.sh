#!/bin/sh
# What the image of PostgreSQL runs when it makes its data, in compose.yaml. It ends where a password is missing.
set -eu
owner="$(cat /run/secrets/owner_password)"
service="$(cat /run/secrets/service_password)"
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres --file=/etc/recollect/roles.sql \
  --set=owner="${owner:?}" --set=service="${service:?}"
