import { spawnSync } from 'node:child_process'
import { access, mkdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '../src/server.ts'
import { isRoot, newFolder, NOBODY, query, removeFoldersAfterAll } from './folders.ts'
import { isBuiltFor, startOwnerProcess } from './owner-process.ts'

const SYSTEM = '/var/lib/order-testing-service'

removeFoldersAfterAll()

describe.runIf(isRoot)('as root', () => {
  test('the server runs as an unprivileged user, and stays in a folder this user can reach', async () => {
    const dataDir = await newFolder()
    await (await startEmbedded({ dataDir })).stop()
    expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0)
    expect((await stat(dataDir)).uid).toBe(0)
  })

  test('a closed folder keeps its permissions, and its database lies elsewhere until the folder is deleted', async () => {
    const closed = await newFolder({ mode: 0o700 })
    const dataDir = join(closed, 'data')
    const moved = join(closed, 'moved')
    const server = await startEmbedded({ dataDir })
    const entry = await systemEntry(dataDir)
    const isLinked = (await stat(join(dataDir, 'postgres.at'))).nlink > 1
    onTestFinished(async () => removeSystemEntries(entry, await systemEntry(moved)))
    await query(server.target, 'create table kept as select 7 as value')
    await server.stop()
    expect((await stat(closed)).mode & 0o777).toBe(0o700)
    expect((await stat(closed)).uid).toBe(0)

    // Moved, the folder takes its database along.
    await rename(dataDir, moved)
    await (await startEmbedded({ dataDir: await newFolder() })).stop()
    const again = await startEmbedded({ dataDir: moved })
    expect(await query(again.target, 'select value from kept')).toEqual([{ value: 7 }])
    await again.stop()

    await rm(moved, { recursive: true })
    const fresh = await startEmbedded({ dataDir: moved })
    expect(await query(fresh.target, `select to_regclass('kept') as kept`)).toEqual([{ kept: null }])
    await fresh.stop()
    // Without a hard link a deleted folder cannot be told from a moved one, and its database is kept for a day.
    expect(await exists(entry)).toBe(!isLinked)
  })

  test('binaries that the unprivileged user cannot reach are copied', async () => {
    const { locateShipped, prepareBinaries } = await import('../src/binaries.ts')
    const shipped = locateShipped()
    const closed = await newFolder({ mode: 0o700 })
    spawnSync('cp', ['-a', shipped.root, join(closed, 'package')])
    const home = await newFolder()
    const binaries = await prepareBinaries({ ...shipped, root: join(closed, 'package') }, home, {
      name: 'nobody',
      ...NOBODY,
    })
    expect(binaries.initdb.startsWith(home)).toBe(true)
    expect(spawnSync(binaries.initdb, ['--version'], { cwd: '/', ...NOBODY }).status).toBe(0)
  })

  test('an ordinary user needs nothing, and root takes over as that user', async (context) => {
    if (!(await isBuiltFor(NOBODY))) context.skip('the checkout is closed to other users')
    const dataDir = await newFolder({ mode: 0o700, user: NOBODY })
    const owner = startOwnerProcess(dataDir, NOBODY)
    expect(await owner.outcome).toHaveProperty('target')
    await owner.stop()
    const made = await stat(join(dataDir, 'postgres'))
    expect(made.uid).toBe(NOBODY.uid)

    await (await startEmbedded({ dataDir })).stop()
    const back = startOwnerProcess(dataDir, NOBODY)
    expect(await back.outcome).toHaveProperty('target')
    await back.stop()
  })

  test('a folder of root is refused to an ordinary user', async (context) => {
    if (!(await isBuiltFor(NOBODY))) context.skip('the checkout is closed to other users')
    const dataDir = join(await newFolder(), 'data')
    await mkdir(dataDir)
    const owner = startOwnerProcess(dataDir, NOBODY)
    expect((await owner.outcome).refused).toMatch('belongs to root, and this user may not write in it')
  })

  test('a database of another user is refused to an ordinary user', async (context) => {
    if (!(await isBuiltFor(NOBODY))) context.skip('the checkout is closed to other users')
    const dataDir = await newFolder({ mode: 0o777 })
    await mkdir(join(dataDir, 'postgres'))
    const owner = startOwnerProcess(dataDir, NOBODY)
    expect((await owner.outcome).refused).toMatch(/belongs to root: [^]*OTS_DATA_DIR[^]*DATABASE_URL/)
  })
})

describe.runIf(!isRoot)('as an ordinary user', () => {
  test('the server runs as this user, in a folder closed to others', async () => {
    const dataDir = await newFolder({ mode: 0o700 })
    await (await startEmbedded({ dataDir })).stop()
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(process.getuid?.())
  })

  test('a folder that this user may not write in is refused', async () => {
    const dataDir = await newFolder({ mode: 0o555 })
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/may not write in it[^]*OTS_DATA_DIR/)
  })
})

async function systemEntry(dataDir: string): Promise<string> {
  const { id } = JSON.parse(await readFile(join(dataDir, 'postgres.at'), 'utf8')) as { id: string }
  return join(SYSTEM, id)
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Never more than the test's own: others may be of services that run on this machine. */
async function removeSystemEntries(...entries: string[]): Promise<void> {
  await Promise.all(entries.map((entry) => rm(entry, { recursive: true, force: true })))
  await rmdir(SYSTEM).catch(() => undefined)
}
