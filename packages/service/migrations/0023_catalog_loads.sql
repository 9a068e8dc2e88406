-- Clinics are loaded by the ten thousand. What each of them costs beyond its use is removed here. Until a node of the previous
-- build is replaced, its searches near a place read all clinics of the tenant.

-- Clinics around a place are found in a box of coordinates. A B-tree takes new clinics faster than GiST does.
create index clinics_in_box
  on clinics (tenant_id, cube_ll_coord(position, 1), cube_ll_coord(position, 2), cube_ll_coord(position, 3));
drop index clinics_by_position;

-- PostgreSQL checks these row by row. Both tables are written only where the tenant is saved first, in the same transaction, and
-- tenants are never deleted.
alter table clinics drop constraint clinics_tenant_id_fkey;
alter table clinic_words drop constraint clinic_words_tenant_id_fkey;

-- No condition uses these columns, so that statistics of them only take time after large changes.
alter table clinics
  alter column name set statistics 0,
  alter column phone set statistics 0,
  alter column address set statistics 0,
  alter column lat set statistics 0,
  alter column long set statistics 0,
  alter column position set statistics 0,
  alter column fee set statistics 0,
  alter column created_at set statistics 0;
alter table clinic_records alter column record set statistics 0;
