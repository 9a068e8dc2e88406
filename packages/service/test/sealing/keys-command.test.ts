import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addKey } from '../../src/cli/run/keys.ts'
import { newFolder } from '../support/folders.ts'
import { ots, serving, type Serving } from '../support/processes.ts'
import { body, PERSON, SECRET, world } from '../orders/given.ts'

describe('ots keys rotate', () => {
  let folder: string
  let env: { OTS_DATA_DIR: string; OTS_CATALOG: string }
  let running: Serving
  beforeAll(async () => {
    folder = await newFolder()
    env = { OTS_DATA_DIR: join(folder, 'data'), OTS_CATALOG: join(folder, 'catalog.json') }
    await writeFile(env.OTS_CATALOG, JSON.stringify(world()))
    running = await serving(env)
  })
  afterAll(async () => {
    await running.end('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  })

  const ask = async (path: string, sent?: unknown) => {
    const response = await fetch(running.origin + path, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json', 'idempotency-key': 'once' },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    })
    return { status: response.status, text: await response.text() }
  }

  test('ots keys rotate adds a new key to the file of a sandbox, and the running service uses it', async () => {
    const sent = body({ participant: PERSON, callback: { url: 'https://hooks.example.com/' } })
    const first = await ask('/api/v2/orders', sent)
    expect(first.status).toBe(201)
    const letters = async () => (JSON.parse((await ask('/sandbox/mailbox.json')).text) as { total: number }).total
    await expect.poll(letters).toBe(1)

    const path = join(env.OTS_DATA_DIR, 'keys')
    const before = await readFile(path, 'utf8')
    const { code, stdout, stderr } = await ots(['keys', 'rotate'], env)
    // A slow machine reports progress.
    expect([code, stderr.replaceAll(/^Resealing .*\n/gm, '')]).toEqual([0, ''])
    expect(stdout).toMatch(/^Key "[0-9a-f]{8}" is now the current key in .*keys\.\n/)
    expect(stdout).toContain(
      '\nRenewed 1 orders, 1 callbacks, 0 deliveries, 1 stored responses, 0 results, 0 documents, 1 recorded attempts and 1 e-mails.\n',
    )
    const after = await readFile(path, 'utf8')
    expect([after.endsWith(before), after.split('\n').length]).toEqual([true, 3])
    expect((await stat(path)).mode & 0o777).toBe(0o600)

    // Both are sealed with a key that the running service did not have when it started.
    const { url } = JSON.parse(first.text) as { url: string }
    expect(await ask(url)).toEqual({ status: 200, text: first.text })
    expect(await ask('/api/v2/orders', sent)).toEqual(first)
  })

  test('ots keys rotate explains how to change keys of the settings without downtime', async () => {
    expect((await ots(['keys', 'rotate', '--help'])).stdout).toContain('OTS_KEYS=new,old')
  })
})

describe('key file', () => {
  test('the key file keeps all its keys, and refuses concurrent changes', async () => {
    const folder = await newFolder()
    const path = join(folder, 'data', 'keys')
    await addKey(path)
    const outcomes = await Promise.allSettled([addKey(path), addKey(path), addKey(path)])
    const added = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    const ids = (await readFile(path, 'utf8')).split('\n').map((line) => line.split(':')[0])
    expect(added.length).toBeGreaterThan(0)
    for (const id of added) expect(ids).toContain(id)
    await writeFile(`${path}.new`, '')
    await expect(addKey(path)).rejects.toThrow(`remove ${path}.new`)
    await rm(folder, { recursive: true, force: true })
  })
})
