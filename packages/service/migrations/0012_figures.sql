-- What figures are computed from: one row per service of an order, without personal data. A worker keeps it up to date.
create table service_figures (
  tenant_id text collate "C" not null,
  order_id text collate "C" not null,
  -- The place of the service in its order, from 1.
  place smallint not null,
  company_id text collate "C" not null,
  placed_at timestamptz not null,
  order_status text collate "C" not null,
  status text collate "C" not null,
  category text collate "C" not null,
  is_dot boolean not null,
  test_reason text collate "C" not null,
  lab_id text collate "C",
  lab_name text collate "C",
  clinic_id text collate "C",
  was_booked boolean not null,
  -- Seconds in each stage; null until it has ended.
  to_scheduled integer,
  to_checked_in integer,
  to_laboratory integer,
  to_report integer,
  in_review integer,
  to_result integer,
  primary key (tenant_id, order_id, place)
);
create index service_figures_by_day on service_figures (tenant_id, placed_at);

-- Up to which change of a company's orders the figures have come.
create table figure_positions (
  tenant_id text collate "C" not null,
  company_id text collate "C" not null,
  position bigint not null,
  primary key (tenant_id, company_id)
);
