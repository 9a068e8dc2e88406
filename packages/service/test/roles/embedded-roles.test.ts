import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/cli/run/settings.ts'
import { openDatabase } from '../../src/cli/run/database.ts'
import { ownsSchema } from '../../src/store/db/migrate.ts'
import { readRoleSettings } from '../../src/store/db/role.ts'
import { newFolder } from '../support/folders.ts'

let folder: string
beforeAll(async () => {
  folder = await newFolder()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the embedded server migrates as its owner and serves as a role that owns nothing, on the first start and later ones', async () => {
  const config = readConfig({ OTS_DATA_DIR: join(folder, 'data') })
  const first = await openDatabase(config, { mayCreate: true })
  try {
    expect(first.migrated.length).toBeGreaterThan(0)
    expect(await ownsSchema(first.pool)).toEqual({ role: 'ots_service', isOwner: false })
    expect(await readRoleSettings(first.pool)).toMatchObject({ isComplete: true })
    await expect(first.pool.script('delete from audit_entries')).rejects.toThrow('permission denied')

    const command = await openDatabase(config, { share: true, asOwner: true })
    expect(await ownsSchema(command.pool)).toEqual({ role: 'ots', isOwner: true })
    // As an earlier build left them.
    await command.pool`insert into audit_details values ('north', 'aud_1', '', ${Buffer.alloc(17)})`
    await command.close()
  } finally {
    await first.close()
  }
  const second = await openDatabase(config)
  expect([second.migrated, (await ownsSchema(second.pool)).role]).toEqual([[], 'ots_service'])
  expect(await second.store.resealing.countPlainDetails()).toBe(0)
  await second.close()
}, 120_000)
