import { rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Keyring } from '../../src/store/sealing/keyring.ts'
import { createStore } from '../../src/store/store.ts'
import { world } from '../orders/given.ts'
import { newFolder } from '../support/folders.ts'
import { ots, PATIENT, serving, SLOW, startProcess, type Running, type Serving } from '../support/processes.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'

const [OLD, NEW] = ['old:the key that was there first', 'new:the key that comes after it']

describe('the keys of running processes', SLOW, () => {
  let folder: string
  let database: TestDatabase
  let env: Record<string, string>
  let node: Serving
  beforeAll(async () => {
    folder = await newFolder()
    database = await freshDatabase()
    await writeFile(join(folder, 'catalog.json'), JSON.stringify(world()))
    env = {
      DATABASE_URL: urlOf(database.target),
      OTS_DATA_DIR: folder,
      OTS_CATALOG: join(folder, 'catalog.json'),
    }
    node = await serving({ ...env, OTS_KEYS: OLD })
  }, SLOW.timeout)
  afterAll(async () => {
    await node.end('SIGTERM')
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const nameOf = ({ process: { pid } }: Running) => `${hostname()}:${pid}`

  test('ots keys generate prints a new key each time', async () => {
    const [first, second] = [await ots(['keys', 'generate'], env), await ots(['keys', 'generate'], env)]
    expect(first.stdout).toMatch(/^[0-9a-f]{8}:[\w-]{43}\n$/)
    expect(second.stdout).not.toBe(first.stdout)
  })

  test('a rotation is refused while a running process lacks the new key, and that process is still ready', async () => {
    const { stdout } = await ots(['keys', 'list'], { ...env, OTS_KEYS: `${NEW},${OLD}` })
    expect(stdout).toContain(`${nameOf(node)} (all) has only old.`)
    expect(stdout).toMatch(/^new\s+current\s+0 of 1 running process$/m)
    expect(stdout).toMatch(/^old\s+older\s+1 of 1 running process$/m)
    const refused = await ots(['keys', 'rotate'], { ...env, OTS_KEYS: `${NEW},${OLD}` })
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`Nothing was resealed: ${nameOf(node)} (all) lacks the key "new"`),
    ])
    expect((await fetch(`${node.origin}/readyz`)).status).toBe(200)
  })

  test('a process waits until all others can read what it seals, and they stay ready', async () => {
    const other = startProcess(['serve'], { ...env, OTS_KEYS: `${NEW},${OLD}`, OTS_ROLE: 'worker', PORT: '0' })
    const waiting = `Waiting: ${nameOf(node)} (all) lacks the key \\"new\\"`
    await expect.poll(() => other.stdout(), PATIENT).toContain(waiting)
    expect((await fetch(`${node.origin}/readyz`)).status).toBe(200)
    await node.end('SIGTERM')
    await expect.poll(() => other.stdout(), PATIENT).toContain('Press Ctrl-C to stop.')
    node = await serving({ ...env, OTS_KEYS: `${NEW},${OLD}` })
    const listed = JSON.parse(
      (await ots(['keys', 'list', '--json'], { ...env, OTS_KEYS: `${NEW},${OLD}` })).stdout,
    ) as {
      keys: { id: string; nodes: string[] }[]
    }
    const both = [nameOf(node), nameOf(other)].toSorted()
    expect(listed.keys.map(({ id, nodes }) => [id, nodes.toSorted()])).toEqual([
      ['new', both],
      ['old', both],
    ])
    await other.end('SIGTERM')
    const rotated = await ots(['keys', 'rotate'], { ...env, OTS_KEYS: `${NEW},${OLD}` })
    expect([rotated.code, rotated.stderr]).toEqual([0, ''])
    await expect.poll(async () => (await fetch(`${node.origin}/readyz`)).status, PATIENT).toBe(200)
  })

  test('a process that lacks a key that values are sealed with is not ready, and says which', async () => {
    await createStore(database.pool, new Keyring([{ id: 'foreign', secret: 'a key of nobody' }])).keyChecks.note()
    const asked = await fetch(`${node.origin}/readyz`)
    expect([asked.status, await asked.text()]).toEqual([
      503,
      expect.stringContaining('This process lacks the key \\"foreign\\".'),
    ])
  })
})
