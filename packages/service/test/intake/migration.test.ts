import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/service.ts'

const MIGRATION = new URL('../../migrations/0014_senders.sql', import.meta.url)

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('ruling 57: the migration to ids per token keeps all reports of a token that shared an id', async () => {
  const { pool } = database
  await pool.script(`
    drop index result_messages_by_token;
    create unique index result_messages_by_sender on result_messages (tenant_id, sender_kind, sender_id, message_id);
    alter table tokens drop column senders;
    drop table laboratory_codes;
    insert into result_messages (tenant_id, id, sender_kind, sender_id, message_id, token_id, state, event, occurred_at,
      received_at, content_hash, content)
    select 'north', id, 'lab', sender, message, token, 'applied', 'testing', now(), now(), '', ''
    from (values ('rsl_1', 'a', '1', 't'), ('rsl_2', 'b', '1', 't'), ('rsl_3', 'c', '1', 't'), ('rsl_4', 'd', '1', 'u'),
      ('rsl_5', 'a', '2', 't')) as given (id, sender, message, token);`)
  await pool.script(await readFile(MIGRATION, 'utf8'))
  const rows = await pool<{ messageId: string }[]>`select message_id from result_messages order by id`
  expect(rows.map(({ messageId }) => messageId)).toEqual(['1', '1 rsl_2', '1 rsl_3', '1', '2'])
})
