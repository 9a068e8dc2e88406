-- The W3C trace that an event belongs to, as trace id and flags: deliveries carry it on. Null if the request had none.
alter table events add column trace text collate "C";
