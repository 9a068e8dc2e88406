-- The catalog files of the last start, and the version of the catalog after they were applied. A start with the same files does
-- not apply them again, unless the catalog has changed since.
alter table catalog_version add column files_digest bytea, add column files_version bigint;
