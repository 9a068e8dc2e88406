-- A row in every table of the baseline. Later migrations must keep what these say.
insert into tenants (id, name) values ('north', 'North');
insert into services (tenant_id, id, record, name, name_key, category, type, is_dot, is_active)
  values ('north', 'urine', '{"id": "urine"}', 'Urine', 'urine', 'drug', 'urine', false, true);
insert into packages (tenant_id, id, record, name, name_key, service_ids, is_active)
  values ('north', 'basic', '{"id": "basic"}', 'Basic', 'basic', '{urine}', true);
insert into companies (tenant_id, id, record, name, name_key, package_ids, settings, is_active)
  values ('north', 'acme', '{"id": "acme"}', 'Acme', 'acme', '{basic}', '{}', true);
insert into locations (tenant_id, id, company_id, record, name, name_key, package_ids, settings, is_active)
  values ('north', 'hq', 'acme', '{"id": "hq"}', 'HQ', 'hq', '{}', '{}', true);
insert into clinics (tenant_id, id, name, name_key, city_key, state_key, position, words, service_ids, is_active)
  values ('north', 'naperville', 'Naperville', 'naperville', 'naperville', 'il', '(1, 2, 3)', '{naperville}', '{urine}', true);
insert into clinic_records (tenant_id, id, record) values ('north', 'naperville', '{"id": "naperville"}');
insert into clinic_words (tenant_id, word, remnants) values ('north', 'clinic', '{clinic,linic}');
insert into laboratory_codes (tenant_id, id, record, lab, code, service_id, is_active)
  values ('north', 'lab 1', '{"code": "1"}', 'lab', '1', 'urine', true);
update catalog_version set version = 7;
insert into tokens (tenant_id, id, name, scopes, company_ids, senders, secret_hash, origin)
  values ('north', 'hr', 'HR', '{order.read}', '{acme}', '[{"id": "lab"}]', '\x01', 'issued');

insert into orders (tenant_id, id, code, company_id, location_id, status, created_at, updated_at, due_at, awaited_clinic_id,
    specimen_keys, blocking_keys, sealed_answer, sealed_content)
  values ('north', 'ord_1', 'N-1', 'acme', 'hq', 'scheduled', '2026-01-01', '2026-01-02', '2026-02-01', 'naperville', '{5}',
    '{11,12}', '\x02', '\x03');
insert into idempotency_keys (tenant_id, token_id, key, status, answer, created_at)
  values ('north', 'hr', 'key', 201, '\x04', '2026-01-01');
insert into order_changes (tenant_id, company_id, location_id, order_id, new_status, new_updated_at)
  values ('north', 'acme', 'hq', 'ord_1', 'scheduled', '2026-01-02');
insert into order_chunks (tenant_id, company_id, list, start_key, n) values ('north', 'acme', 'all', '', 1);
insert into order_matches (tenant_id, order_id, token_id, at, score, explanation)
  values ('north', 'ord_1', 'hr', '2026-01-01', 97.5, '{"fields": []}');

insert into callbacks (tenant_id, id, order_id, version, origin, secrets, shows_participant, created_at, registered_by)
  values ('north', 'cbk_1', 'ord_1', 'v2', 'https://hooks.example.com', '\x05', true, '2026-01-01', 'hr');
insert into events (tenant_id, id, order_id, created_at) values ('north', 'evt_1', 'ord_1', '2026-01-02');
insert into deliveries (tenant_id, id, event_id, callback_id, order_id, version, origin, body, state, created_at)
  values ('north', 'dlv_1', 'evt_1', 'cbk_1', 'ord_1', 'v2', 'https://hooks.example.com', '\x06', 'held', '2026-01-02');
insert into delivery_attempts (tenant_id, delivery_id, at, ms, status, answer)
  values ('north', 'dlv_1', '2026-01-02', 12, 500, '\x07');
insert into delivery_workers (id, alive_until) values ('00000000-0000-0000-0000-000000000001', '2026-01-02');
insert into receivers (tenant_id, origin, failures, paused_at) values ('north', 'https://hooks.example.com', 3, '2026-01-02');

insert into result_reports (tenant_id, id, sender_kind, sender_id, message_id, token_id, state, event, order_id, occurred_at,
    received_at, content_code, content)
  values ('north', 'res_1', 'lab', 'lab', 'm-1', 'hr', 'applied', 'collected', 'ord_1', '2026-01-02', '2026-01-02', '\x08', '\x09');
insert into documents (tenant_id, id, result_id, sealed_name, content_type, size, created_at, content)
  values ('north', 'doc_1', 'res_1', '\x0a', 'application/pdf', 9, '2026-01-02', '\x0b');
insert into refused_reports (tenant_id, id, token_id, door, code, reason, sender, control_id, size, content_hash, content,
    first_at, last_at)
  values ('north', 'ref_1', 'hr', 'mllp', 'AR', 'Not for us.', 'lab', '1', 9, 13, '\x0c', '2026-01-02', '2026-01-02');

insert into notifications (tenant_id, id, order_id, kind, channel, state, due_at, created_at)
  values ('north', 'msg_1', 'ord_1', 'link', 'email', 'sent', '2026-01-01', '2026-01-01');
insert into notification_attempts (tenant_id, notification_id, number, at, duration_ms, outcome, answer)
  values ('north', 'msg_1', 1, '2026-01-01', 12, 'accepted', '\x0d');
insert into notification_counts (tenant_id, token_id, day, sent) values ('north', 'hr', '2026-01-01', 1);
insert into mailbox (id, notification_id, at, content) values ('mbx_1', 'msg_1', '2026-01-01', '\x0e');
insert into order_links (secret_hash, tenant_id, order_id, created_at, expires_at)
  values ('\x0f', 'north', 'ord_1', '2026-01-01', '2026-02-01');

insert into audit_entries (tenant_id, id, at, token_id, action, subject_type, subject_id, details_hash)
  values ('north', 'aud_1', '2026-01-02', 'hr', 'order.read', 'order', 'ord_1', '\x10');
insert into audit_details (tenant_id, entry_id, key_id, content) values ('north', 'aud_1', 'test', '\x11');
insert into audit_links (tenant_id, seq, entry_id, entry_hash, previous_hash, hash)
  values ('north', 1, 'aud_1', '\x12', '\x13', '\x14');
insert into audit_checkpoints (tenant_id, seq, key_id, hash, until, signature)
  values ('north', 1, 'test', '\x15', '2026-01-01', '\x16');
insert into audit_erasures (tenant_id, entry_id, erased_by) values ('north', 'aud_0', 'aud_1');
insert into legal_holds (tenant_id, order_id, placed_at, entry_id) values ('north', 'ord_1', '2026-01-02', 'aud_1');
insert into key_checks (key_id, sealed) values ('test', '\x17');
insert into runtime_roles (name) values ('no_such_role');
