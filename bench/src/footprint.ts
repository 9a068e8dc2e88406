import { readFile } from 'node:fs/promises'
import { createRate } from './create-order.ts'
import { median } from './figures.ts'
import { measureRate } from './load.ts'
import type { Report } from './report.ts'
import { CONNECTIONS, ROUNDS } from './settings.ts'
import { orderBody, post, type World } from './world.ts'

const MB = 1024 * 1024

/** As in the image and in the unit: memory that threads share. */
const AS_DEPLOYED = { MALLOC_ARENA_MAX: '2' }

/** Memory of a process for requests under full load, of a worker, and the time from the start to the first answer. */
export async function benchFootprint(world: World, report: Report): Promise<void> {
  await world.stopService()
  const starts: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now()
    await world.startService({ ...AS_DEPLOYED, OTS_ROLE: 'api' })
    starts.push(performance.now() - begun)
    if (round < ROUNDS - 1) await world.stopService()
  }
  const ms = median(starts)
  report.add({
    name: 'start to first answer',
    against: 'a bound',
    ours: `${Math.round(ms)} ms`,
    theirs: '1,000 ms',
    ratio: ms / 1_000,
    goal: { most: 1 },
  })
  const { id } = await post(`${world.origin}/api/v2/orders`, world.fresh, orderBody('fresh'))
  const load = { headers: world.fresh, connections: CONNECTIONS, seconds: 2 }
  for (let round = 0; round < ROUNDS; round++) {
    await measureRate(`${world.origin}/api/v2/orders/${id}`, load)
    await createRate(world)
    await measureRate(`${world.origin}/api/v2/orders`, load)
  }
  addMemory('memory of an api process under full load', await peakOf(world.pid), 150)
  await world.stopService()
  await world.startService({ ...AS_DEPLOYED, OTS_ROLE: 'worker' })
  addMemory('memory of a worker', await peakOf(world.pid), 100)

  function addMemory(name: string, bytes: number, most: number): void {
    const ours = `${Math.round(bytes / MB)} MB`
    report.add({ name, against: 'a bound', ours, theirs: `${most} MB`, ratio: bytes / MB / most, goal: { most: 1 } })
  }
}

/** The most memory that a process has used, in bytes. */
async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1024
}
