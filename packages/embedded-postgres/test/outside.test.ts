import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { locateCluster } from '../src/clusters.ts'
import { isAccessible } from '../src/files.ts'
import { OUTSIDE, writePointer } from '../src/pointer.ts'
import { findRunning, startEmbedded } from '../src/server.ts'
import {
  closedDataDir,
  isRoot,
  newDataDir,
  newFolder,
  PATIENT,
  query,
  removeFoldersAfterAll,
  untilInitdb,
} from './folders.ts'
import { startOwnerProcess } from './owner-process.ts'

removeFoldersAfterAll()

let another: string
/** The cluster that data folders with a row get a copy of. */
let withRow: string
beforeAll(async () => {
  another = await newDataDir()
  if (isRoot) withRow = await clusterWithRow()
})

// Each test starts several servers.
const TIMEOUT = { timeout: 240_000 }

describe.runIf(isRoot)('as root, below a folder that the user of the server cannot enter', TIMEOUT, () => {
  test('the cluster is created outside, the data folder points to it, and permissions do not change', async () => {
    const dataDir = await closedDataDir()
    expect(await locateCluster(dataDir)).toBeNull()
    const server = await startEmbedded({ dataDir })
    await server.stop()
    expect(server.isOutside).toBe(true)
    expect(server.cluster).toBe(join(OUTSIDE, await idOf(dataDir), 'postgres'))
    expect(await locateCluster(dataDir)).toEqual({ cluster: server.cluster, isMissing: false })
    const closed = await stat(dirname(dataDir))
    expect([closed.mode & 0o777, closed.uid]).toEqual([0o700, 0])
    expect(await readFile(join(dataDir, 'postgres.at'), 'utf8')).not.toContain('isNew')
  })

  test('a data folder that was moved finds its cluster again', async () => {
    const dataDir = await dataDirWithRow()
    const moved = `${dataDir}-moved`
    await rename(dataDir, moved)
    await startAnotherService()
    expect(await rowIn(moved)).toBe(7)
    expect(await rowIn(moved)).toBe(7)
  })

  test('a data folder that was moved to another filesystem finds its cluster again', async (context) => {
    const dataDir = await dataDirWithRow()
    const other = await stat('/dev/shm').catch(() => null)
    if (!other || other.dev === (await stat(dataDir)).dev) context.skip('there is no second filesystem')
    const moved = join(await newFolder({ parent: '/dev/shm', mode: 0o700 }), 'data')
    await copyFolder(dataDir, moved)
    await rm(dataDir, { recursive: true })
    await startAnotherService()
    expect(await rowIn(moved)).toBe(7)
    await rename(moved, `${moved}-again`)
    await startAnotherService()
    expect(await rowIn(`${moved}-again`)).toBe(7)
  })

  test('a copy is refused while the original exists, and takes over once the original is deleted', async () => {
    const dataDir = await dataDirWithRow()
    const copy = `${dataDir}-copy`
    await copyFolder(dataDir, copy)
    await expect(startEmbedded({ dataDir: copy })).rejects.toThrow(
      `${copy} is a copy of ${dataDir}. The database is not in it`,
    )
    expect(await rowIn(dataDir)).toBe(7)
    await rm(dataDir, { recursive: true })
    expect(await rowIn(copy)).toBe(7)
  })

  test('a copy of a folder in use is refused as a copy, and does not find the server of the original', async () => {
    const dataDir = await closedDataDir()
    const server = await startEmbedded({ dataDir })
    const copy = `${dataDir}-copy`
    await copyFolder(dataDir, copy)
    await expect(startEmbedded({ dataDir: copy })).rejects.toThrow(`${copy} is a copy of ${dataDir}`)
    await expect(findRunning(copy)).rejects.toThrow(`${copy} is a copy of ${dataDir}`)
    expect(await findRunning(dataDir)).toEqual(server.target)
    await server.stop()
  })

  test('of two copies started at once after the original is deleted, one becomes the owner and the other is refused', async () => {
    const dataDir = await dataDirWithRow()
    const copies = [`${dataDir}-one`, `${dataDir}-two`]
    for (const copy of copies) await copyFolder(dataDir, copy)
    await rm(dataDir, { recursive: true })
    const owners = copies.map((copy) => startOwnerProcess(copy))
    const outcomes = await Promise.all(owners.map((owner) => owner.outcome))
    await Promise.all(owners.map((owner) => owner.stop()))
    const winner = outcomes.findIndex(({ target }) => target)
    expect(outcomes[1 - winner]?.refused).toMatch(/is in use by the running process|is a copy of/)
    expect(await rowIn(copies[winner]!)).toBe(7)
    await expect(startEmbedded({ dataDir: copies[1 - winner]! })).rejects.toThrow('is a copy of')
  })

  test('a data folder with a second path is not taken for a copy', async (context) => {
    const dataDir = await dataDirWithRow()
    const second = await newFolder()
    if (spawnSync('mount', ['--bind', dataDir, second]).status !== 0) context.skip('nothing can be mounted here')
    onTestFinished(() => void spawnSync('umount', [second]))
    expect(await rowIn(second)).toBe(7)
    expect(await rowIn(dataDir)).toBe(7)
  })

  test('a pointer to a missing cluster is refused, until the pointer is deleted', async () => {
    const dataDir = await dataDirWithRow()
    const folder = join(OUTSIDE, await idOf(dataDir))
    const away = `${dirname(dataDir)}/away`
    spawnSync('mv', [folder, away])
    for (const _ of [1, 2])
      await expect(startEmbedded({ dataDir })).rejects.toThrow(
        `The database of ${dataDir} is missing. ${dataDir}/postgres.at points to ${folder}/postgres, which does not exist.`,
      )
    expect(await locateCluster(dataDir)).toEqual({ cluster: join(folder, 'postgres'), isMissing: true })
    spawnSync('mv', [away, folder])
    expect(await rowIn(dataDir)).toBe(7)

    await rm(join(dataDir, 'postgres.at'))
    expect(await rowIn(dataDir)).toBeNull()
    expect(await isAccessible(join(folder, 'postgres', 'PG_VERSION'))).toBe(true)
  })

  test('a damaged pointer is refused', async () => {
    const dataDir = await dataDirWithRow()
    const path = join(dataDir, 'postgres.at')
    const text = await readFile(path, 'utf8')
    for (const damaged of ['', '{', 'null', '{"id":"../../etc","dataDir":"/"}']) {
      await rm(path)
      await writeFile(path, damaged)
      await expect(startEmbedded({ dataDir })).rejects.toThrow(`${path} is damaged`)
    }
    await writeFile(path, text)
    expect(await rowIn(dataDir)).toBe(7)
  })

  test('a data folder with a cluster in it and a pointer to another is refused', async () => {
    const dataDir = await dataDirWithRow()
    await mkdir(join(dataDir, 'postgres'))
    await expect(startEmbedded({ dataDir })).rejects.toThrow(`${dataDir} has two databases`)
  })

  test('a deleted data folder starts over, and its former cluster is kept', async () => {
    const dataDir = await dataDirWithRow()
    const former = join(OUTSIDE, await idOf(dataDir), 'postgres', 'PG_VERSION')
    await rm(dataDir, { recursive: true })
    expect(await rowIn(dataDir)).toBeNull()
    await startAnotherService()
    expect(await isAccessible(former)).toBe(true)
  })

  test.each(['in place', 'moved'])('a cluster of an earlier build is adopted (%s)', async (where) => {
    const dataDir = await dataDirWithRow()
    const id = await idOf(dataDir)
    const [path, record] = [join(dataDir, 'postgres.at'), join(OUTSIDE, id, 'postgres.at')]
    await Promise.all([rm(path), rm(record)])
    await writeFile(path, JSON.stringify({ id, dataDir, device: (await stat(dataDir)).dev }))
    await link(path, record)
    const now = where === 'moved' ? `${dataDir}-moved` : dataDir
    if (now !== dataDir) await rename(dataDir, now)
    expect(await rowIn(now)).toBe(7)
    // An earlier build that runs on the same machine deletes only clusters whose record names a device.
    expect(JSON.parse(await readFile(record, 'utf8'))).toEqual({ id, dataDir: now })
  })

  test('a start after a killed first start continues with the same cluster', async () => {
    const dataDir = await closedDataDir()
    const owner = startOwnerProcess(dataDir)
    const id = await vi.waitFor(() => idOf(dataDir), PATIENT)
    await vi.waitFor(() => untilInitdb(join(OUTSIDE, id)), PATIENT)
    await owner.kill()
    expect(await isAccessible(join(OUTSIDE, id, 'postgres'))).toBe(false)
    await (await startEmbedded({ dataDir })).stop()
    expect(await idOf(dataDir)).toBe(id)
  })
})

async function clusterWithRow(): Promise<string> {
  const server = await startEmbedded({ dataDir: await closedDataDir() })
  await query(server.target, 'create table kept as select 7 as value')
  await server.stop()
  return server.cluster
}

/** A data folder as a first start leaves it; copying a cluster is faster than creating one. */
async function dataDirWithRow(): Promise<string> {
  const [dataDir, id] = [await closedDataDir(), randomUUID()]
  const folder = join(OUTSIDE, id)
  for (const path of [dataDir, folder]) await mkdir(path)
  spawnSync('cp', ['-a', withRow, folder])
  await writePointer({ id, dataDir })
  return dataDir
}

/** Null if it is another database. */
async function rowIn(dataDir: string): Promise<number | null> {
  const server = await startEmbedded({ dataDir })
  try {
    const [{ kept }] = (await query(server.target, `select to_regclass('kept') as kept`)) as [{ kept: string | null }]
    if (kept === null) return null
    return ((await query(server.target, 'select value from kept')) as [{ value: number }])[0].value
  } finally {
    await server.stop()
  }
}

/** A start must not change the clusters of other data folders. */
async function startAnotherService(): Promise<void> {
  await (await startEmbedded({ dataDir: another })).stop()
}

async function copyFolder(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, preserveTimestamps: true })
}

async function idOf(dataDir: string): Promise<string> {
  return (JSON.parse(await readFile(join(dataDir, 'postgres.at'), 'utf8')) as { id: string }).id
}
