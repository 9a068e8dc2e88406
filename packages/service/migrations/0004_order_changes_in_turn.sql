-- Changes are folded in their turn, however many wait: without this, each round would sort all of them.
create index order_changes_in_turn on order_changes (seq);
