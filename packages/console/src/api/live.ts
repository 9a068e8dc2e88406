/** What the service tells whenever something has changed, and the counts that are shown everywhere. */
export interface Pulse {
  /** Changes with every change of a task. */
  tasks: string
  open: number
  overdue: number
  results: number
  receivers: number
  /** Changes with every change of an order. */
  orders: string
}

/** The service says something every 15 seconds; after this long the connection is dead. */
const SILENCE_MS = 40_000

/**
 * Reads one stream of server-sent events until it ends. EventSource cannot send the header that shows the service that the
 * console asks.
 */
export async function readPulses(signal: AbortSignal, onPulse: (pulse: Pulse) => void): Promise<'ended' | 'signedOut'> {
  const silence = new AbortController()
  const either = AbortSignal.any([signal, silence.signal])
  let timer = setTimeout(() => silence.abort(), SILENCE_MS)
  try {
    const headers = { 'x-console': '1', 'x-background': '1' }
    const response = await fetch('/api/console/v1/live', { headers, signal: either })
    if (response.status === 401) return 'signedOut'
    if (!response.ok || !response.body) throw new Error(`The service answered ${response.status}.`)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return 'ended'
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
      const events = (text + value).split('\n\n')
      text = events.pop()!
      for (const event of events) if (event.startsWith('data: ')) onPulse(JSON.parse(event.slice(6)) as Pulse)
    }
  } finally {
    clearTimeout(timer)
  }
}
