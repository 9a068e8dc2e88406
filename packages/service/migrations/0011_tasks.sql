-- What needs an operator now. Workers find the reasons and end them; operators claim, snooze and finish.
create table tasks (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  reason text collate "C" not null,
  -- What it is about: an order, a result report, or the origin of a receiver.
  subject_id text collate "C" not null,
  order_id text collate "C",
  -- Who must act.
  actor text collate "C" not null,
  -- Facts of the reason, without personal data.
  details jsonb not null,
  found_at timestamptz not null,
  due_at timestamptz not null,
  claimed_by text collate "C",
  snoozed_until timestamptz,
  done_at timestamptz,
  done_by text collate "C",
  -- When the reason was gone.
  ended_at timestamptz,
  primary key (tenant_id, id)
);
-- A finished task stays until its reason is gone, so that it is not found again.
create unique index tasks_of_subject on tasks (tenant_id, reason, subject_id) where ended_at is null;
create index tasks_by_due on tasks (tenant_id, due_at, id) where ended_at is null;
create index tasks_of_order on tasks (tenant_id, order_id) where order_id is not null;
create index tasks_ended on tasks (ended_at) where ended_at is not null;

-- When a link was first opened. Earlier links count as opened.
alter table order_links add column opened_at timestamptz default '-infinity';
alter table order_links alter column opened_at drop default;
