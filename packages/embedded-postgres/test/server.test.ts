import { chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { findRunning, startEmbedded } from '../src/server.ts'
import { isRoot, isRunning, newDataDir, newFolder, NOBODY, ownerOn, query, removeFoldersAfterAll } from './folders.ts'

removeFoldersAfterAll()

let dataDir: string
beforeAll(async () => {
  dataDir = await newDataDir()
})

test('the first start creates a durable UTF-8 database behind a private socket', async () => {
  const server = await startEmbedded({ dataDir: join(await newFolder(), 'not', 'yet', 'there') })
  const [found] = await query(
    server.target,
    `
      select current_database() as database, current_user as user, current_setting('fsync') as fsync,
        current_setting('listen_addresses') as addresses, current_setting('server_encoding') as encoding,
        datlocprovider::text || datlocale as locale, upper('é') as upper
      from pg_database where datname = current_database()`,
  )
  const socketDir = await stat(server.target.host)
  await server.stop()
  expect(found).toEqual({
    database: 'ots',
    user: 'ots',
    fsync: 'on',
    addresses: '',
    encoding: 'UTF8',
    locale: 'bC.UTF-8',
    upper: 'É',
  })
  expect(socketDir.mode & 0o777).toBe(0o700)
})

test('a second start keeps the data, and a stop leaves no process and no socket', async () => {
  const first = await startEmbedded({ dataDir })
  const owner = await ownerOn(dataDir)
  await query(first.target, 'create table kept as select 7 as value')
  await Promise.all([first.stop(), first.stop()])
  expect(isRunning(owner.server?.pid ?? 0)).toBe(false)
  await expect(stat(first.target.host)).rejects.toThrow('ENOENT')
  expect(await contents(dataDir)).toEqual(['postgres', 'postgres.log'])

  const second = await startEmbedded({ dataDir })
  const rows = await query(second.target, 'select value from kept')
  await second.stop()
  expect(rows[0]).toEqual({ value: 7 })
})

test('a data folder in use is refused with its process, and its server can be found', async () => {
  expect(await findRunning(dataDir)).toBeNull()
  const server = await startEmbedded({ dataDir })
  await expect(startEmbedded({ dataDir })).rejects.toThrow(`${dataDir} is in use by the running process ${process.pid}`)
  expect(await findRunning(dataDir)).toEqual(server.target)
  await server.stop()
  expect(await findRunning(dataDir)).toBeNull()
})

test('a server that dies is reported, and the next start recovers committed data', async () => {
  const server = await startEmbedded({ dataDir })
  await query(server.target, 'create table committed as select 7 as value')
  process.kill((await ownerOn(dataDir)).server?.pid ?? 0, 'SIGKILL')
  expect(await server.ended).toContain('PostgreSQL ended by signal SIGKILL')
  await server.stop()

  const next = await startEmbedded({ dataDir })
  const rows = await query(next.target, 'select value from committed')
  await next.stop()
  expect(rows[0]).toEqual({ value: 7 })
})

test('a failed start is reported with the output of the server and the alternative', async () => {
  const settings = join(dataDir, 'postgres', 'postgresql.conf')
  const before = await readFile(settings)
  await writeFile(settings, 'no_such_setting = 1\n')
  await expect(startEmbedded({ dataDir })).rejects.toThrow(/did not start[^]*no_such_setting[^]*DATABASE_URL/)
  await writeFile(settings, before)
  expect(await contents(dataDir)).toEqual(['postgres', 'postgres.log'])
})

test('a database of another major version is refused', async () => {
  const older = await newFolder()
  await mkdir(join(older, 'postgres'))
  await writeFile(join(older, 'postgres', 'PG_VERSION'), '15\n')
  if (isRoot) await chown(join(older, 'postgres'), NOBODY.uid, NOBODY.gid)
  await expect(startEmbedded({ dataDir: older })).rejects.toThrow(/was created by PostgreSQL 15[^]*DATABASE_URL/)
})

test('a data folder that is a file is refused', async () => {
  const file = join(await newFolder(), 'file')
  await writeFile(file, '')
  await expect(startEmbedded({ dataDir: file })).rejects.toThrow(/cannot work in .*it is not a folder/)
})

/** Without the copy of the binaries, which depends on the permissions of the installed ones. */
async function contents(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith('postgresql-')).toSorted()
}
