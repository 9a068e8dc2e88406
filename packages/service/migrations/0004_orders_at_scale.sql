-- Changes are folded in their turn, however many wait: without this, each round would sort all of them.
create index order_changes_in_turn on order_changes (seq);

-- Chunks are split wherever they have grown too large, and not at their upper end alone.
alter table order_chunks drop column top_key;
create index order_chunks_too_large on order_chunks (n) where n >= 2000;

-- A search reads all entries that wait to be sorted in, so none may wait: matching searches with every create.
alter index orders_alike set (fastupdate = off);
