import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { explain } from '../../src/cli/explain.ts'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { onDatabase } from '../support/global-setup.ts'
import { ots } from '../support/processes.ts'
import { urlOf } from '../support/service.ts'

describe('a database that the service cannot use', () => {
  const id = randomBytes(6).toString('hex')
  const [latin, closed, role] = [`ots_test_latin_${id}`, `ots_test_closed_${id}`, `ots_test_poor_${id}`]
  const server = inject('server')
  let admin: Pool
  beforeAll(async () => {
    admin = connect(server, { max: 1 })
    await admin.script(
      `create database ${latin} encoding 'LATIN1' locale_provider libc locale 'C' template template0 strategy file_copy`,
    )
    await admin.script(`create database ${closed} template template0 strategy file_copy`)
    await admin.script(`create role ${role} login password '${id}'`)
    const inside = connect(onDatabase(server, closed), { max: 1 })
    await inside.script(`grant create, usage on schema public to ${role}`)
    await inside.end()
  })
  afterAll(async () => {
    for (const name of [latin, closed]) await admin.script(`drop database if exists ${name} with (force)`)
    await admin.script(`drop role ${role}`)
    await admin.end()
  })

  test('a database with another encoding than UTF8 is refused by ots migrate and ots serve, and reported by ots doctor', async () => {
    const env = { DATABASE_URL: urlOf(onDatabase(server, latin)), PORT: '0' }
    for (const args of [['migrate'], ['serve']]) {
      const { code, stderr } = await ots(args, env)
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /^The database "ots_test_latin_.*" has the encoding LATIN1, but the service needs UTF8\./,
        ),
      ])
    }
    expect((await ots(['doctor'], env)).stdout).toMatch(/^problem +The database has the encoding LATIN1\.$/m)
  })

  test('a role that may not create extensions learns which privilege an administrator has to grant', async () => {
    const target = onDatabase(server, closed)
    const url =
      typeof target === 'string'
        ? Object.assign(new URL(target), { username: role, password: id }).href
        : urlOf({ ...target, username: role })
    const { code, stderr } = await ots(['migrate'], { DATABASE_URL: url })
    expect([code, stderr.split('\n')[0]]).toEqual([
      1,
      `The role "${role}" may not create the extension "cube". As an administrator run: grant create on database "${closed}" to "${role}";`,
    ])
  })

  test('a pooler that does not keep prepared statements is explained without a stack trace', () => {
    const error = Object.assign(new Error('prepared statement "s1" does not exist'), { code: '26000' })
    expect(explain(error).message).toMatch(/^The database, or the pooler .*OTS_DATABASE_PREPARE=auto/)
  })
})
