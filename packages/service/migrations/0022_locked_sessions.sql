-- When a person locked a session, or its browser did after some time without use. Null while it is open.
alter table user_sessions add column locked_at timestamptz;
