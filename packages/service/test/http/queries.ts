import type { Store } from '../../src/store/store.ts'

/** Counts the queries of requests through a store, until it is stopped. */
export function countQueries(store: Store): { stop(): number } {
  let count = 0
  const undo: (() => void)[] = []
  const watch = (owner: Record<string, unknown>) => {
    for (const [name, member] of Object.entries(owner)) {
      if (typeof member !== 'function') {
        watch(member as Record<string, unknown>)
        continue
      }
      // Written every few seconds, whether anybody asks for anything or not.
      if (name === 'recordUse') continue
      owner[name] = (...args: unknown[]) => {
        count++
        return Reflect.apply(member, owner, args) as unknown
      }
      undo.push(() => {
        owner[name] = member
      })
    }
  }
  watch(store)
  return {
    stop() {
      for (const each of undo) each()
      return count
    },
  }
}
