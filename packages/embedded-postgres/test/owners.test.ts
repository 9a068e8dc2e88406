import { spawn } from 'node:child_process'
import { chown, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { startEmbedded } from '../src/server.ts'
import {
  isRoot,
  isRunning,
  newDataDir,
  newFolder,
  ownerOn,
  PATIENT,
  query,
  removeFoldersAfterAll,
  untilInitdb,
} from './folders.ts'
import { startOwnerProcess } from './owner-process.ts'

removeFoldersAfterAll()

let dataDir: string
beforeAll(async () => {
  dataDir = await newDataDir()
})

test('a killed owner leaves no process behind, and loses no committed data', async () => {
  const owner = startOwnerProcess(dataDir)
  const { target } = await owner.outcome
  if (!target) throw new Error('no server')
  await query(target, 'create table kept as select 7 as value')
  const processes = [(await ownerOn(dataDir)).server?.pid ?? 0, ...owner.children()]
  expect(processes.every(isRunning)).toBe(true)
  await owner.kill()
  await vi.waitFor(() => expect(processes.some(isRunning)).toBe(false), PATIENT)
  await expect(stat(target.host)).rejects.toThrow('ENOENT')

  const next = await startEmbedded({ dataDir })
  const rows = await query(next.target, 'select value from kept')
  await next.stop()
  expect(rows[0]).toEqual({ value: 7 })
})

test('a start right after the kill waits for the former server to end', async () => {
  const owner = startOwnerProcess(dataDir)
  await owner.outcome
  await owner.kill()
  const next = await startEmbedded({ dataDir })
  expect(await query(next.target, 'select 1 as one')).toEqual([{ one: 1 }])
  await next.stop()
})

// Only Linux lists the children of a process.
test.runIf(process.platform === 'linux')('a kill during the first start leaves no partial database', async () => {
  const fresh = await newFolder()
  const owner = startOwnerProcess(fresh)
  const processes = await vi.waitFor(() => {
    const children = owner.children()
    expect(children.length).toBeGreaterThan(1) // the watchdog and initdb
    return children
  }, PATIENT)
  await vi.waitFor(() => untilInitdb(fresh), PATIENT)
  await owner.kill()
  await vi.waitFor(() => expect(processes.some(isRunning)).toBe(false), PATIENT)
  const found = (await readdir(fresh)).filter((name) => /^postgres(\.new-.*)?$/.test(name))
  // Beside root, the watchdog runs as another user, who may empty the folder but not remove it.
  expect(found).toHaveLength(isRoot ? 1 : 0)
  for (const name of found) expect(await readdir(join(fresh, name))).toEqual([])
  const next = await startEmbedded({ dataDir: fresh })
  expect(await query(next.target, 'select 1 as one')).toEqual([{ one: 1 }])
  await next.stop()
  expect(await readdir(fresh)).not.toContain(found[0])
})

test('of simultaneous first starts, one wins and the others are refused', async () => {
  const fresh = await newFolder()
  const owners = [1, 2, 3].map(() => startOwnerProcess(fresh))
  const outcomes = await Promise.all(owners.map((owner) => owner.outcome))
  await Promise.all(owners.map((owner) => owner.stop()))
  expect(outcomes.filter(({ target }) => target)).toHaveLength(1)
  const refusals = outcomes.flatMap(({ refused }) => refused ?? [])
  expect(refusals).toHaveLength(2)
  for (const refusal of refusals) expect(refusal).toMatch(`${fresh} is in use by the running process`)
})

test('of simultaneous starts after a kill, one wins and the others are refused', async () => {
  await writeFile(join(dataDir, 'postgres.owner'), '')
  const owners = [1, 2, 3, 4].map(() => startOwnerProcess(dataDir))
  const outcomes = await Promise.all(owners.map((owner) => owner.outcome))
  await Promise.all(owners.map((owner) => owner.stop()))
  expect(outcomes.filter(({ target }) => target)).toHaveLength(1)
})

test('recorded pids that other processes reuse do not block a start', async () => {
  const server = await startEmbedded({ dataDir })
  const lock = join(dataDir, 'postgres', 'postmaster.pid')
  const lines = (await readFile(lock, 'utf8')).split('\n')
  await server.stop()
  const { uid, gid } = await stat(join(dataDir, 'postgres'))
  const stranger = spawn('sleep', ['60'], { uid, gid })
  await writeFile(lock, [stranger.pid, ...lines.slice(1)].join('\n'))
  await chown(lock, uid, gid)
  // This process has the pid of the recorded owner, but another start time.
  await writeFile(join(dataDir, 'postgres.owner'), JSON.stringify({ id: 'former', pid: process.pid, born: 'long ago' }))
  await (await startEmbedded({ dataDir })).stop()
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  stranger.kill()
})
