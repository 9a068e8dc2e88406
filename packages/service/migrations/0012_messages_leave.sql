-- When a message left, so that what had not when its worker died can be sent by another. Of those under way now nobody knows.
alter table messages add column left_at timestamptz;
update messages set left_at = now() where state = 'sending';
