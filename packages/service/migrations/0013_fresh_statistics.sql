-- What the planner believes of a large table would otherwise be renewed only when a tenth of it has changed: long after a
-- new company has thousands of orders that it takes for none.
alter table orders set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
