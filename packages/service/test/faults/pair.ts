import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseAccount, isRoot, runAs, type Account } from '@order-testing/embedded-postgres/account'
import { locateShipped, prepareBinaries, type Binaries } from '@order-testing/embedded-postgres/binaries'
import { connect } from '../../src/store/db/pool.ts'
import { freePort } from '../support/processes.ts'

const SUPERUSER = 'ots'

interface Server {
  port: number
  /** Stops immediately, like a crash. */
  kill(): Promise<void>
}

/** A primary and a standby. If the standby is synchronous, either can fail without loss. */
export interface Pair {
  primary: Server
  standby: Server
  /** An address with both hosts, in this order. */
  url: string
  primaryUrl: string
  standbyUrl: string
  /** Promotes the standby. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** Starts both servers in a folder that their account can enter. */
export async function startPair(folder: string, { isSynchronous = true } = {}): Promise<Pair> {
  const account = isRoot() ? chooseAccount(0) : null
  const binaries = await prepareBinaries(locateShipped(), folder, account)
  const place = { folder, account, binaries }
  const [first, second] = [join(folder, 'primary'), join(folder, 'standby')]
  const [primaryPort, standbyPort] = [await freePort(), await freePort()]
  await makeFolder(first, account)
  await finish(
    spawn(binaries.initdb, ['-D', first, '-U', SUPERUSER, '--auth=trust', '--encoding=UTF8'], {
      ...runAs(account),
      stdio: 'ignore',
    }),
  )
  const primary = await start(place, first, primaryPort)
  await copyCluster(place, first, second, primaryPort)
  const standby = await start(place, second, standbyPort)
  const admin = connect(urlOf([primaryPort], 'postgres'), { max: 1 })
  if (isSynchronous) await admin.script(`alter system set synchronous_standby_names = '*'`)
  await admin.script('select pg_reload_conf()')
  const state = isSynchronous ? 'sync' : 'async'
  const isStreaming = async () => (await admin`select from pg_stat_replication where sync_state = ${state}`).length > 0
  while (!(await isStreaming())) await sleep(50)
  await admin.script('create database ots')
  await admin.end()
  return {
    primary,
    standby,
    url: `${urlOf([primaryPort, standbyPort], 'ots')}?target_session_attrs=read-write`,
    primaryUrl: urlOf([primaryPort], 'ots'),
    standbyUrl: urlOf([standbyPort], 'ots'),
    async promote() {
      const pool = connect(urlOf([standbyPort], 'postgres'), { max: 1 })
      await pool`select pg_promote()`
      await pool.end()
    },
    async stop() {
      await Promise.all([primary.kill(), standby.kill()])
    },
  }
}

interface Place {
  folder: string
  account: Account | null
  binaries: Binaries
}

const urlOf = (ports: number[], database: string) =>
  `postgres://${SUPERUSER}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${database}`

async function start({ folder, account, binaries }: Place, data: string, port: number): Promise<Server> {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    wal_level: 'replica',
    fsync: 'off',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(binaries.postgres, ['-D', data, ...options], { ...runAs(account), cwd: folder, stdio: 'ignore' })
  const pool = connect(urlOf([port], 'postgres'), { max: 1 })
  while (
    !(await pool`select 1`.then(
      () => true,
      () => false,
    ))
  )
    await sleep(50)
  await pool.end()
  return {
    port,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGQUIT')
      await gone
    },
  }
}

/** The shipped binaries lack pg_basebackup, so the files are copied between `pg_backup_start` and `pg_backup_stop`. */
async function copyCluster({ account }: Place, from: string, to: string, port: number): Promise<void> {
  // Both must be called in one session.
  const session = connect(urlOf([port], 'postgres'), { max: 1 })
  await session`select pg_backup_start('standby', true)`
  await makeFolder(to, account)
  await cp(from, to, { recursive: true, filter: (path) => !/postmaster\.(pid|opts)$|pg_wal\/.+/.test(path) })
  const [stopped] = await session<{ label: string }[]>`select labelfile as label from pg_backup_stop(false)`
  await session.end()
  await writeFile(join(to, 'backup_label'), stopped!.label)
  await writeFile(join(to, 'standby.signal'), '')
  await writeFile(
    join(to, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=${SUPERUSER}'\n`,
  )
  await giveTo(to, account)
}

async function makeFolder(path: string, account: Account | null): Promise<void> {
  await rm(path, { recursive: true, force: true })
  await mkdir(path)
  await chmod(path, 0o700)
  if (account) await chown(path, account.uid, account.gid)
}

async function giveTo(path: string, account: Account | null): Promise<void> {
  if (account) await finish(spawn('chown', ['-R', `${account.uid}:${account.gid}`, path], { stdio: 'ignore' }))
}

async function finish(child: ChildProcess): Promise<void> {
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}.`)
}
