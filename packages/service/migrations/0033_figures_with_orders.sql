-- Figures of a new order are written with it, so that no worker has to open it for them. False for orders that were placed by an
-- earlier build, and for those that have changed since.
alter table order_changes add column has_figures boolean not null default false;
alter table order_positions add column has_figures boolean not null default false;
