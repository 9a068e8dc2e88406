import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fill } from './fill.ts'
import { startWorld, type World } from './world.ts'

/** Written into a kept folder when all its orders are made. */
const MARK = 'made.json'

/** Later, the open orders would expire while they are measured. */
const GOOD_FOR_MS = 20 * 86_400_000

/** The world of a kept folder: its database has this many made orders already, or they are made if the folder is new. */
export async function openKept(folder: string, orders: number): Promise<World> {
  const files = await readdir(folder).catch(() => [])
  if (files.length > 0) {
    await checkMark(folder, orders)
    return startWorld(folder)
  }
  const world = await startWorld(folder)
  await fill(world, { from: 0, to: orders })
  await writeFile(join(folder, MARK), JSON.stringify({ orders, at: new Date().toISOString() }))
  return world
}

async function checkMark(folder: string, orders: number): Promise<void> {
  const text = await readFile(join(folder, MARK), 'utf8').catch(() => '{}')
  const made = JSON.parse(text) as { orders?: number; at?: string }
  const isFresh = made.at !== undefined && Date.now() - Date.parse(made.at) < GOOD_FOR_MS
  if (made.orders === orders && isFresh) return
  throw new Error(
    `${folder} has no ${orders} orders made in the last 20 days. Remove it, or set BENCH_KEPT to a new folder.`,
  )
}
