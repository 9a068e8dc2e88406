-- What tells of people, their tests and the secrets of receivers is sealed by the service before it is stored (docs/decisions/0022-at-rest.md).
--
-- Only the service has the keys. So plain text of earlier builds stays in its columns until the service, which looks for it every
-- minute, or `ots keys rotate` has sealed it. An index on each table finds what is left; all are empty in the end.

alter table orders
  -- The order as answers show it, without the participant and with it.
  add column sealed_head bytea,
  add column sealed_answer bytea,
  -- The order as the rules see it.
  add column sealed_content bytea,
  -- Keyed hashes of the specimens.
  add column specimen_keys bigint[] not null default '{}',
  add column appointment_at timestamptz,
  alter column head drop not null,
  alter column participant drop not null,
  alter column content drop not null,
  alter column specimen_ids set default '{}',
  -- Sealed bytes do not get any smaller, and a row that stays in one piece is read with one look.
  alter column sealed_head set storage external,
  alter column sealed_answer set storage external,
  alter column sealed_content set storage external,
  set (toast_tuple_target = 8160);
update orders set appointment_at = (content ->> 'appointmentAt')::timestamptz
where awaited_at is not null and content ->> 'appointmentAt' is not null;
create index orders_by_specimen_key on orders using gin (tenant_id, specimen_keys) where specimen_keys <> '{}';
create index orders_in_plain_text on orders (tenant_id, id) where head is not null;

alter table callbacks
  -- Scheme, host and port. The whole address is sealed with the credentials: its query may hold some.
  add column if not exists origin text collate "C" not null default '',
  alter column url drop not null;
update callbacks set origin = regexp_replace(
  regexp_replace(coalesce(lower(substring(url from '^[^/]+//[^/?#]+')), ''), '^(https://.*):443$', '\1'), '^(http://.*):80$', '\1')
where origin = '';
create index callbacks_of_order on callbacks (tenant_id, order_id);
-- One address is registered once for an order: whoever registers one has locked the order.
drop index callbacks_by_url;
create index callbacks_in_plain_text on callbacks (tenant_id, id) where url is not null;

alter table delivery_attempts
  -- What was answered, or why nothing was.
  add column answer bytea,
  alter column excerpt drop not null;
create index delivery_attempts_in_plain_text on delivery_attempts (tenant_id, delivery_id, seq) where excerpt is not null;

-- What the server said.
alter table message_attempts add column answer bytea;
create index message_attempts_in_plain_text on message_attempts (tenant_id, message_id, number) where detail is not null;

alter table result_messages
  -- A keyed hash that tells a repeat from another message of the same name.
  add column content_code bytea,
  alter column content_hash drop not null;
create index result_messages_in_plain_text on result_messages (tenant_id, id) where content_hash is not null;

alter table documents
  add column sealed_name bytea,
  alter column name drop not null;
create index documents_in_plain_text on documents (tenant_id, id) where name is not null;
