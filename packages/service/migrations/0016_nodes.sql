-- Processes that are running, and the keys that each can open values with. Each writes its row every few seconds.
create table nodes (
  id text collate "C" primary key,
  -- Host and process id, for operators.
  name text not null,
  role text not null,
  version text not null,
  key_ids text[] not null,
  seen_at timestamptz not null
);
