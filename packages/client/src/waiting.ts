/** Longer timers fire at once. */
const LONGEST_MS = 2 ** 31 - 1

/** A time limit and the caller's signals as one signal. `AbortSignal.any` is not used: engines leak its signals. */
export interface Limit {
  signal: AbortSignal
  isOver(): boolean
  end(): void
}

export function limited(ms: number, signals: readonly AbortSignal[]): Limit {
  const controller = new AbortController()
  let isOver = false
  const timer = setTimeout(
    () => {
      isOver = true
      controller.abort()
    },
    Math.min(ms, LONGEST_MS),
  )
  const stop = onAbort(signals, () => controller.abort())
  return {
    signal: controller.signal,
    isOver: () => isOver,
    end() {
      clearTimeout(timer)
      stop()
    },
  }
}

/** Waits, or rejects with the reason of a signal that is aborted meanwhile. */
export function pause(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(finish, ms)
    const stop = onAbort(signals, finish)
    function finish(): void {
      clearTimeout(timer)
      stop()
      const aborted = signals.find((signal) => signal.aborted)
      if (aborted) reject(aborted.reason as Error)
      else resolve()
    }
  })
}

function onAbort(signals: readonly AbortSignal[], listener: () => void): () => void {
  for (const signal of signals) signal.addEventListener('abort', listener)
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', listener)
  }
}
