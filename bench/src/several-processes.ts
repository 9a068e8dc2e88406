import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { inTurns } from './figures.ts'
import { measureRate } from './load.ts'
import type { Report } from './report.ts'
import { CONNECTIONS, ROUNDS, SECONDS } from './settings.ts'
import { orderBody, post, type World } from './world.ts'

/** Percent of a core that each process may use, so that the database has the rest for itself. */
const QUOTA = 20

/** Measurements before the one that counts, for each process. */
const WARM_UPS = 3

/** Two processes against one, each limited to a part of a core by cpulimit. */
export async function benchProcesses(world: World, report: Report): Promise<void> {
  if (spawnSync('cpulimit', ['--help']).error) {
    process.stderr.write('Skipped: several processes, because cpulimit is not installed.\n')
    return
  }
  const { id } = await post(`${world.origin}/api/v2/orders`, world.fresh, orderBody('fresh'))
  const rateWith = async (count: number) => {
    await world.stopService()
    await world.startService({}, '--processes', String(count))
    const load = { headers: world.fresh, connections: CONNECTIONS, seconds: 3 * SECONDS }
    const measure = () => measureRate(`${world.origin}/api/v2/orders/${id}`, load)
    // A process is slow until its code is compiled, which would take long within its limit. Several share the requests.
    for (let warmUp = 0; warmUp < WARM_UPS * count; warmUp++) await measure()
    const limits = (await servingIds(world.pid, count)).map(limit)
    try {
      return await measure()
    } finally {
      await Promise.all(limits.map(release))
    }
  }
  const rates = await inTurns(Math.min(ROUNDS, 5), { ours: () => rateWith(2), theirs: () => rateWith(1) })
  const name = `reads by two processes with ${QUOTA} % of a core each`
  report.addRates(name, 'one such process', rates, { least: 1.6 })
}

/** The processes that answer requests: the service itself, or those that it has started. */
async function servingIds(pid: number, count: number): Promise<number[]> {
  if (count === 1) return [pid]
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.trim().split(' ').map(Number)
}

const limit = (pid: number): ChildProcess =>
  spawn('cpulimit', ['-p', String(pid), '-l', String(QUOTA), '-q'], { stdio: 'ignore' })

async function release(child: ChildProcess): Promise<void> {
  child.kill('SIGINT')
  await once(child, 'exit')
}
