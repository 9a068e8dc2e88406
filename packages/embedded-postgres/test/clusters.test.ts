import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { findCluster, listClusters, removeCluster } from '../src/clusters.ts'
import { OUTSIDE } from '../src/pointer.ts'
import { startEmbedded } from '../src/server.ts'
import { closedDataDir, isRoot, removeFoldersAfterAll } from './folders.ts'
import { startOwnerProcess } from './owner-process.ts'

removeFoldersAfterAll()

describe.runIf(isRoot)('as root, clusters outside of their data folder', { timeout: 240_000 }, () => {
  let dataDir: string
  let name: string
  beforeEach(async () => {
    dataDir = await closedDataDir()
    await (await startEmbedded({ dataDir })).stop()
    name = (JSON.parse(await readFile(join(dataDir, 'postgres.at'), 'utf8')) as { id: string }).id
  })

  test('a cluster of a data folder is listed as used, and is not removed', async () => {
    expect(await find(name)).toMatchObject({ dataDir, isInUse: true, detail: `used by the data folder ${dataDir}` })
    expect((await find(name))?.lastUsedAt).toBeInstanceOf(Date)
    await expect(removeCluster(name)).rejects.toThrow(
      `The cluster ${name} cannot be removed: used by the data folder ${dataDir}.`,
    )
    await (await startEmbedded({ dataDir })).stop()
  })

  test('a cluster with a running server is listed with its process, and is not removed', async () => {
    const owner = startOwnerProcess(dataDir)
    await owner.outcome
    expect((await find(name))?.detail).toBe(`used by the running process ${owner.pid}`)
    // Even if the data folder cannot be found.
    await rename(dataDir, `${dataDir}-away`)
    await expect(removeCluster(name)).rejects.toThrow(`${name} is in use by the running process ${owner.pid}`)
    await rename(`${dataDir}-away`, dataDir)
    await owner.stop()
  })

  test('a cluster of a moved data folder is listed as used, and is not removed', async (context) => {
    if ((await stat(join(dataDir, 'postgres.at'))).nlink < 2) context.skip('two filesystems: a move is not seen')
    await rename(dataDir, `${dataDir}-moved`)
    expect(await find(name)).toMatchObject({ isInUse: true, detail: expect.stringContaining('was moved from') })
    await expect(removeCluster(name)).rejects.toThrow(/cannot be removed[^]*find \/ -xdev -samefile/)
    await (await startEmbedded({ dataDir: `${dataDir}-moved` })).stop()
  })

  test('a cluster whose data folder was deleted is listed as unused, stays, and can be removed', async () => {
    await rm(dataDir, { recursive: true })
    const unused = { name, isInUse: false, detail: `unused: ${dataDir} does not exist` }
    expect(await find(name)).toMatchObject(unused)
    await (await startEmbedded({ dataDir })).stop()
    expect(await find(name)).toMatchObject({ ...unused, detail: `unused: ${dataDir} does not point to it` })
    await removeCluster(name)
    expect(await find(name)).toBeUndefined()
    await expect(stat(join(OUTSIDE, `${name}.removed`))).rejects.toThrow('ENOENT')
    await (await startEmbedded({ dataDir })).stop()
  })

  test('a cluster without a usable record is listed as unused', async () => {
    await rm(dataDir, { recursive: true })
    await writeFile(join(OUTSIDE, name, 'postgres.at'), '')
    expect(await find(name)).toMatchObject({ dataDir: null, isInUse: false })
    await removeCluster(name)
  })

  test('the rest of an interrupted removal is listed, and can be removed', async () => {
    await rm(dataDir, { recursive: true })
    await rename(join(OUTSIDE, name), join(OUTSIDE, `${name}.removed`))
    expect(await find(`${name}.removed`)).toMatchObject({ isInUse: false })
    await removeCluster(`${name}.removed`)
    expect(await find(`${name}.removed`)).toBeUndefined()
  })

  test('removing a name that is no cluster is refused', async () => {
    const folder = join(OUTSIDE, 'something-else')
    await mkdir(folder)
    for (const wrong of ['something-else', '..', `${name}/postgres`, name.replaceAll(/./g, '0')])
      await expect(findCluster(wrong)).rejects.toThrow(`Unknown cluster "${wrong}"`)
    await rm(folder, { recursive: true })
  })
})

describe.runIf(!isRoot)('as an ordinary user', () => {
  test('only root may list and remove clusters outside of their data folder', async () => {
    await expect(findCluster('one')).rejects.toThrow('Run this command as root.')
  })
})

const find = async (id: string) => (await listClusters()).find(({ name }) => name === id)
