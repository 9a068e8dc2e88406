-- Of the attempts of a delivery, those made before it was last sent again: the schedule of retries begins anew, their count does not.
alter table deliveries add column earlier_attempts integer not null default 0;
