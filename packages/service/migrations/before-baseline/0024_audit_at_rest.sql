-- Reasons and changed values that 0019 took out of the audit log leave the disk, and old records are found by tenant.

-- A dropped column stays in the rows that had it. Writing the table anew leaves it out: the old files are removed.
cluster audit_entries using audit_entries_pkey;
alter table audit_entries set without cluster;

-- What 0019 copied is sealed by an owner that has the keys, in the background. This finds what is left; it is empty in the end.
create index audit_details_in_plain_text on audit_details (tenant_id, entry_id) where key_id = '';

-- Notifications past their period are counted and removed for one tenant.
drop index messages_ended;
create index messages_ended on messages (tenant_id, ended_at) where ended_at is not null;
