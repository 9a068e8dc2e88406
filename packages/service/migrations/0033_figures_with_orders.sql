-- Figures of a new order are written with it, so that no worker has to open it for them. Changes by nodes of an earlier build come
-- without figures.
alter table order_changes add column has_figures boolean not null default false;

-- The position of the change that the figures came with. A node of an earlier build moves the position alone, so that the order is
-- opened again.
alter table order_positions add column figures_at bigint;
