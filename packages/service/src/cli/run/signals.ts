/** A second signal this soon is the same Ctrl-C, forwarded by a parent such as npm. */
const SAME_SIGNAL_MS = 1_000

const PARENT_CHECK_MS = 250

/** Read when the module loads, to notice a parent that ends while the service starts. */
const PARENT = process.ppid

export interface Stop {
  /** Why to stop: a signal, a failure of something the service depends on, or the end of npm. */
  reason: Promise<string>
  /** Waits, unless another signal asks to hurry. */
  pause(ms: number): Promise<void>
}

/**
 * Listens for reasons to stop. After the first one, another signal ends a pause, or else the process, unless that is one of
 * several: the first process signals the others at the end of a pause, which theirs may already be.
 */
export function untilStopped(failure: Promise<string> | undefined, isOneOfSeveral: boolean): Stop {
  let hurry: (() => void) | undefined
  const reason = new Promise<string>((resolve) => {
    let stoppingSince: number | undefined
    const onSignal = (signal: NodeJS.Signals) => {
      if (stoppingSince !== undefined && performance.now() - stoppingSince > SAME_SIGNAL_MS) {
        if (!hurry && !isOneOfSeveral) process.exit(1)
        hurry?.()
      }
      stoppingSince ??= performance.now()
      resolve(signal)
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
    void failure?.then((why) => {
      process.exitCode = 1
      resolve(why)
    })
    if (process.env['npm_lifecycle_event'] !== undefined) watchParent(() => resolve('npm has ended'))
  })
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      hurry = () => {
        hurry = undefined
        resolve()
      }
      setTimeout(hurry, ms)
    })
  return { reason, pause }
}

/** A killed npm cannot forward the signal, but the service should end with it. */
function watchParent(onEnd: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return
    clearInterval(timer)
    onEnd()
  }, PARENT_CHECK_MS).unref()
}
