import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { EmbeddedRefusal, USE_ANOTHER_SERVER } from './refusal.ts'

/** The user that runs the server when we are root: PostgreSQL refuses to run as root. */
export interface Account {
  name: string
  uid: number
  gid: number
}

/** In this order: accounts made for databases, then accounts that own nothing. */
const PREFERRED = ['postgres', '_postgres', 'nobody', 'daemon']

export const isRoot = () => process.getuid?.() === 0

/** Chooses the account for a new database: the owner of the folder unless that is root, so that this user can run the service later. */
export function chooseAccount(folderUid: number): Account {
  const accounts = listAccounts().filter(({ uid }) => uid !== 0)
  const own = accounts.filter(({ uid }) => uid === folderUid)
  const preferred = PREFERRED.flatMap((name) => accounts.filter((account) => account.name === name))
  const chosen = [...own, ...preferred, ...accounts].find(canBecome)
  if (chosen) return chosen
  throw new EmbeddedRefusal(
    'PostgreSQL does not run as root, and this process cannot become an unprivileged user of /etc/passwd.\n' +
      `Start the service as an ordinary user. ${USE_ANOTHER_SERVER}`,
  )
}

/** The account of files that exist already. */
export function accountOf({ uid, gid }: { uid: number; gid: number }): Account {
  return { name: listAccounts().find((account) => account.uid === uid)?.name ?? `user ${uid}`, uid, gid }
}

/** Whether the account may enter these folders or execute these files. Tries it, because mode bits do not show access lists. */
export function canEnter(account: Account, ...paths: string[]): boolean {
  const script = 'for path; do test -x "$path" || exit 1; done'
  return spawnSync('/bin/sh', ['-c', script, 'sh', ...paths], runAs(account)).status === 0
}

/**
 * Options for every program started here: its own session, so that Ctrl-C in a terminal reaches only us; a working
 * directory that everyone may enter; and a clean environment, because ours contains secrets and perhaps PG* variables.
 */
export function runAs(account: Account | null) {
  return {
    cwd: '/',
    detached: true,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  }
}

const canBecome = (account: Account) => spawnSync('/bin/sh', ['-c', ':'], runAs(account)).status === 0

function listAccounts(): Account[] {
  return readPasswd()
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => Number.isInteger(uid) && Number.isInteger(gid))
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8')
  } catch {
    return ''
  }
}
