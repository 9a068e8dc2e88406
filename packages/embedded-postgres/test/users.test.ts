import { spawnSync } from 'node:child_process'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startEmbedded } from '../src/server.ts'
import { isRoot, newFolder, NOBODY, removeFoldersAfterAll } from './folders.ts'
import { isBuiltFor, startOwnerProcess } from './owner-process.ts'

removeFoldersAfterAll()

describe.runIf(isRoot)('as root', () => {
  test('a server started by root runs as an unprivileged user, in a data folder that this user can enter', async () => {
    const dataDir = await newFolder()
    await (await startEmbedded({ dataDir })).stop()
    expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0)
    expect((await stat(dataDir)).uid).toBe(0)
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

  test('a server started by an ordinary user runs as this user, also when root starts it later', async (context) => {
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

  test('an ordinary user cannot use a data folder of root', async (context) => {
    if (!(await isBuiltFor(NOBODY))) context.skip('the checkout is closed to other users')
    const dataDir = join(await newFolder(), 'data')
    await mkdir(dataDir)
    const owner = startOwnerProcess(dataDir, NOBODY)
    expect((await owner.outcome).refused).toMatch('belongs to root, and this user cannot write to it')
  })

  test('an ordinary user cannot use the database of another user', async (context) => {
    if (!(await isBuiltFor(NOBODY))) context.skip('the checkout is closed to other users')
    const dataDir = await newFolder({ mode: 0o777 })
    await mkdir(join(dataDir, 'postgres'))
    const owner = startOwnerProcess(dataDir, NOBODY)
    expect((await owner.outcome).refused).toMatch(/belongs to root: [^]*OTS_DATA_DIR[^]*DATABASE_URL/)
  })
})

describe.runIf(!isRoot)('as an ordinary user', () => {
  test('a server started by an ordinary user runs as this user, in a folder closed to others', async () => {
    const dataDir = await newFolder({ mode: 0o700 })
    await (await startEmbedded({ dataDir })).stop()
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(process.getuid?.())
  })

  test('a data folder that this user cannot write to is refused', async () => {
    const dataDir = await newFolder({ mode: 0o555 })
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/cannot write to it[^]*OTS_DATA_DIR/)
  })
})
