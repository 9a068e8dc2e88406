/** A second signal this soon is the same Ctrl-C, forwarded by a parent such as npm. */
const SAME_SIGNAL_MS = 1_000

const PARENT_CHECK_MS = 250

/** Read when the module loads, to notice a parent that ends while the service starts. */
const PARENT = process.ppid

/** Resolves with the reason to stop: a signal, a failure of something the service depends on, or the end of npm. */
export function untilStopped(failure: Promise<string> | undefined): Promise<string> {
  return new Promise((resolve) => {
    let stoppingSince: number | undefined
    const onSignal = (signal: NodeJS.Signals) => {
      if (stoppingSince !== undefined && performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1)
      stoppingSince ??= performance.now()
      resolve(signal)
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
    void failure?.then((reason) => {
      process.exitCode = 1
      resolve(reason)
    })
    if (process.env['npm_lifecycle_event'] !== undefined) watchParent(() => resolve('npm has ended'))
  })
}

/** A killed npm cannot forward the signal, but the service should end with it. */
function watchParent(onEnd: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return
    clearInterval(timer)
    onEnd()
  }, PARENT_CHECK_MS).unref()
}
