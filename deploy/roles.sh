#!/bin/sh
# Run once, by the image of PostgreSQL, when it creates its data folder: one role owns the schema, the other one serves.
set -eu
psql --quiet --set ON_ERROR_STOP=1 --username postgres <<END
create role ots_owner login password '$(cat /run/secrets/owner-password)';
create role ots_service login password '$(cat /run/secrets/service-password)';
create database ots owner ots_owner encoding 'UTF8' template template0;
END
