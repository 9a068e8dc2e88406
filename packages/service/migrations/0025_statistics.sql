-- A table is analyzed from 300 rows for each unit of its largest target, 30,000 by default. From 6,000, plans stay the same, and
-- 50,000 clinics are applied half a second sooner.
alter table clinics
  alter column tenant_id set statistics 20,
  alter column id set statistics 20,
  alter column name_key set statistics 20,
  alter column city_key set statistics 20,
  alter column state_key set statistics 20,
  alter column words set statistics 20,
  alter column service_ids set statistics 20,
  alter column is_active set statistics 20,
  alter column removed_at set statistics 20;
alter index clinics_in_box
  alter column 2 set statistics 20,
  alter column 3 set statistics 20,
  alter column 4 set statistics 20;
alter table clinic_records
  alter column tenant_id set statistics 20,
  alter column id set statistics 20;

-- Statistics of arrays and sealed values take longest, and orders are analyzed often while they grow. Conditions on these columns
-- are served by their own indexes, or only ask whether there is a value.
alter table orders
  alter column sealed_answer set statistics 0,
  alter column sealed_content set statistics 0,
  alter column search_codes set statistics 0,
  alter column blocking_keys set statistics 0,
  alter column participant set statistics 0,
  alter column identifiers set statistics 0,
  alter column content set statistics 0,
  alter column search_keys set statistics 1,
  alter column specimen_ids set statistics 1,
  alter column head set statistics 1;
