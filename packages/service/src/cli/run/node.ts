import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Store } from '../../store/store.ts'
import { version } from '../version.ts'
import { repeat, type OnChange } from './repeat.ts'

/** How often a process announces itself, and the keys that it has. */
const ANNOUNCE_MS = 2_000

/** Announces this process to the others until it is stopped. */
export async function announceNode(
  { nodes }: Pick<Store, 'nodes'>,
  role: string,
  onChange: OnChange,
): Promise<{ stop(): Promise<void> }> {
  const id = randomUUID()
  const announce = () => nodes.announce(id, { name: `${hostname()}:${process.pid}`, role, version })
  await announce()
  const repeated = repeat(announce, ANNOUNCE_MS, onChange)
  return {
    async stop() {
      await repeated.stop()
      await nodes.forget(id).catch(() => {})
    },
  }
}
