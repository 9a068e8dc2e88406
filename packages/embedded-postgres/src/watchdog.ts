import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Account, runAs } from './account.ts'
import { EmbeddedRefusal, USE_ANOTHER_SERVER } from './refusal.ts'

/** Stops the server if this process dies without stopping it, even by SIGKILL. */
export interface Watchdog {
  watch(pid: number): void
  /** Names a folder that is removed with the server's end, unless it got another name before. */
  guardDraft(folder: string): void
  /** Ends the watchdog: the server has stopped. */
  release(): Promise<void>
}

export function startWatchdog(guarded: { socketDir: string; cluster: string; account: Account | null }): Watchdog {
  const names = ['order-testing-watchdog', guarded.socketDir, guarded.cluster]
  const child = spawn('/bin/sh', ['-c', SCRIPT, ...names], {
    ...runAs(guarded.account),
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined) // the watchdog was killed: the server continues without it
  if (!child.pid) throw new EmbeddedRefusal(`The embedded PostgreSQL needs /bin/sh.\n${USE_ANOTHER_SERVER}`)
  const ended = once(child, 'exit')
  return {
    watch: (pid) => void child.stdin.write(`${pid}\n`),
    guardDraft: (folder) => void child.stdin.write(`draft ${folder}\n`),
    async release() {
      child.stdin.end('none\n')
      await ended
    },
  }
}

/**
 * Our end of the pipe closes when this process dies. The lock file is checked as well as the pid, because a zombie still
 * has its pid. A fast shutdown that takes too long is followed by an immediate one.
 */
const SCRIPT = `
pid= draft= socket=$1 lock=$2/postmaster.pid
while read -r line; do case $line in draft*) draft=\${line#draft };; *) pid=$line;; esac; done
[ "$pid" = none ] && exit
serves() { kill -0 "$pid" && [ -e "$lock" ]; }
for signal in INT QUIT; do
  [ -n "$pid" ] && kill -$signal "$pid" || break
  tries=50
  while serves && [ $tries -gt 0 ]; do sleep 0.1; tries=$((tries - 1)); done
  serves || break
done
rm -rf "$socket"
[ -d "$draft" ] || exit
tries=50
while [ -n "$pid" ] && kill -0 "$pid" && [ $tries -gt 0 ]; do sleep 0.1; tries=$((tries - 1)); done
rm -rf "$draft"
`
