import { existsSync } from 'node:fs'
import { copyFile, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { body, SECRET, world } from '../orders/given.ts'
import { newFolder } from '../support/folders.ts'
import { ots, otsProcess, serving, SLOW, type Exit, type Serving } from '../support/processes.ts'

/** A slow machine reports progress. */
const withoutProgress = ({ stderr }: Exit) => stderr.replaceAll(/^(Verifying and c|C)opying files: .*\n/gm, '')

describe('ots backup and ots restore', SLOW, () => {
  let folder: string
  let env: { OTS_DATA_DIR: string; OTS_CATALOG: string; OTS_RATE_LIMIT: string }
  let running: Serving
  beforeAll(async () => {
    folder = await newFolder()
    env = { OTS_DATA_DIR: join(folder, 'data'), OTS_CATALOG: join(folder, 'catalog.json'), OTS_RATE_LIMIT: '0' }
    await writeFile(env.OTS_CATALOG, JSON.stringify(world()))
    running = await serving(env)
  }, SLOW.timeout)
  afterAll(async () => {
    await running.end('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  })

  const ask = async ({ origin }: Serving, path: string, sent?: unknown) => {
    const response = await fetch(origin + path, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    })
    return (await response.json()) as { id: string; code: string; total: number }
  }

  test('a backup made while orders arrive has all that were answered before, and opens with its keys', async () => {
    const before = await Promise.all(Array.from({ length: 20 }, () => ask(running, '/api/v2/orders', body())))
    const backup = new AbortController()
    const during = (async () => {
      while (!backup.signal.aborted) await ask(running, '/api/v2/orders', body())
    })()
    const copy = join(folder, 'copy')
    const made = await ots(['backup', copy], env)
    backup.abort()
    await during
    expect([made.code, withoutProgress(made)]).toEqual([0, ''])
    expect(made.stdout).toMatch(
      /^Copied the database to .*copy\.\nIt can be read only with the key [0-9a-f]{8}, which is not in there\.\n$/,
    )
    expect(await readdir(copy)).toEqual(['backup.json', 'postgres'])
    expect(await readdir(join(copy, 'postgres'))).not.toContain('postmaster.pid')

    const restored = { ...env, OTS_DATA_DIR: join(folder, 'restored') }
    const put = await ots(['restore', copy], restored)
    expect([put.code, withoutProgress(put)]).toEqual([0, ''])
    expect(put.stdout).toMatch(
      /^Restored the backup of 20\S+ into .*restored: \d+ orders\.\nBefore you start the service, put [0-9a-f]{8} into /,
    )
    const early = await otsProcess(['serve'], { ...restored, PORT: '0' })
    expect([early.code, early.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^This database is sealed with the key "[0-9a-f]{8}", but there is no key file .*restored\/keys\./,
      ),
    ])
    expect(await readdir(restored.OTS_DATA_DIR)).not.toContain('keys')
    await copyFile(join(env.OTS_DATA_DIR, 'keys'), join(restored.OTS_DATA_DIR, 'keys'))
    const service = await serving({ ...restored, OTS_OUTBOUND: 'off' })
    expect((await ask(service, '/api/v2/orders')).total).toBeGreaterThanOrEqual(before.length)
    for (const { id, code } of before) expect((await ask(service, `/api/v2/orders/${id}`)).code).toBe(code)
    await service.end('SIGTERM')
  })

  test('--with-keys makes a backup that opens by itself, also of a service that is stopped', async () => {
    const other = { ...env, OTS_DATA_DIR: join(folder, 'other') }
    expect((await ots(['migrate'], other)).code).toBe(0)
    const service = await serving(other)
    const { id, code } = await ask(service, '/api/v2/orders', body())
    await service.end('SIGTERM')
    const copy = join(folder, 'whole')
    expect((await ots(['backup', copy, '--with-keys'], other)).stdout).toContain(
      'anyone who has the folder can read everything',
    )
    const restored = { ...env, OTS_DATA_DIR: join(folder, 'whole-again') }
    expect((await ots(['restore', copy, '--json'], restored)).stdout).toContain('"missingKeys": []')
    const again = await serving({ ...restored, OTS_OUTBOUND: 'off' })
    expect((await ask(again, `/api/v2/orders/${id}`)).code).toBe(code)
    await again.end('SIGTERM')
  })

  test.each([
    ['a folder without a complete backup', async () => ['restore', await newFolder()], 'holds no complete backup'],
    ['a data folder that has a database', async () => ['restore', join(folder, 'copy')], 'There is a database in'],
    ['a folder that is not empty', async () => ['backup', folder], 'is not empty'],
    [
      'a folder that cannot be created',
      async () => ['backup', '/proc/backup/of/today'],
      'A backup cannot be written to',
    ],
  ])('%s is refused', async (_, args, told) => {
    const used = { ...env, OTS_DATA_DIR: join(folder, 'other') }
    expect(existsSync(used.OTS_DATA_DIR)).toBe(true)
    const { code, stderr } = await ots(await args(), used)
    expect([code, stderr]).toEqual([1, expect.stringContaining(told)])
  })

  test.each([
    ['shorter', (content: Buffer) => content.subarray(1), /global\/pg_filenode\.map has \d+ bytes instead of \d+/],
    ['altered', (content: Buffer) => content.fill(1, 100, 101), /global\/pg_filenode\.map has other content/],
    ['missing', () => null, /global\/pg_filenode\.map is missing/],
  ])('a backup with a file that is %s is refused, and nothing is restored', async (_, damage, told) => {
    const [copy, dataDir] = [join(folder, 'damaged'), join(folder, 'never')]
    await rm(copy, { recursive: true, force: true })
    await cp(join(folder, 'copy'), copy, { recursive: true })
    const file = join(copy, 'postgres/global/pg_filenode.map')
    const content = damage(await readFile(file))
    await (content === null ? rm(file) : writeFile(file, content))
    const { code, stderr } = await ots(['restore', copy], { ...env, OTS_DATA_DIR: dataDir })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The backup in .*damaged is damaged: postgres/m)])
    expect(stderr).toMatch(told)
    expect(await readdir(dataDir)).toEqual([])
  })

  test('a backup is not restored into a folder with other files', async () => {
    const dataDir = await newFolder()
    await writeFile(join(dataDir, 'notes.txt'), 'mine')
    const { code, stderr } = await ots(['restore', join(folder, 'copy')], { ...env, OTS_DATA_DIR: dataDir })
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not empty: it has "notes.txt"')])
    expect(await readdir(dataDir)).toEqual(['notes.txt'])
  })

  test('a database of DATABASE_URL is refused, with the tools to use', async () => {
    const named = { ...env, DATABASE_URL: 'postgres://ots@database.example/ots' }
    for (const args of [
      ['backup', join(folder, 'x')],
      ['restore', join(folder, 'copy')],
    ])
      expect((await ots(args, named)).stderr).toContain('Use pg_dump and pg_restore')
  })
})
