-- An order's answer is sealed once, with the participant; without them, it was a second value of most of the same text.
alter table orders drop column sealed_head;
