import { spawnSync } from 'node:child_process'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startEmbedded } from '../src/server.ts'
import { isRoot, newFolder, NOBODY, removeFoldersAfterAll } from './folders.ts'
import { isBuiltFor, startOwnerProcess } from './owner-process.ts'

removeFoldersAfterAll()

describe.runIf(isRoot)('as root', () => {
  test('the server runs as an unprivileged user, and stays in a folder this user can reach', async () => {
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
