import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError, type Command } from 'commander'
import { signStandard, signV2, type Event } from '@order-testing/contract'
import { IntegratorApi, Unreachable, withIntegratorService, type ApiOptions } from '../api.ts'
import { withExamples } from '../help.ts'
import { dim, green, red } from '../output/colors.ts'
import { note, showEntry } from '../output/print.ts'
import { withProgress, type Reporter } from '../output/progress.ts'
import { formatCount } from '../output/table.ts'
import { version } from '../version.ts'

interface ListenOptions extends ApiOptions {
  forwardTo: string
  secret?: string
}

const POLL_MS = 1_000
const FORWARD_WITHIN_MS = 15_000

export function define(listen: Command): void {
  withExamples(
    withIntegratorService(listen),
    'ots listen --forward-to http://localhost:4000/hook',
    'ots listen --forward-to http://localhost:4000/hook --secret my-key --json',
  )
    .description('Forward the events of your orders to an address that need not be public, signed as the service does.')
    .requiredOption('--forward-to <url>', 'address to send events to, such as http://localhost:4000/hook', readAddress)
    .option('--secret <key>', 'key to sign events with (default: a new one, which is printed)')
    .action(async (options: ListenOptions) => {
      const stop = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) void once(process, signal).then(() => stop.abort())
      await withProgress('Forwarding', (reporter) => forwardEvents(options, stop.signal, reporter))
    })
}

/** Sends the events of the token's orders to an address, as they happen, until it is stopped. */
async function forwardEvents(
  { forwardTo, secret, ...options }: ListenOptions,
  signal: AbortSignal,
  { wait }: Reporter,
) {
  const api = new IntegratorApi(options)
  const key = secret ?? `whk_${randomBytes(24).toString('base64url')}`
  let { nextCursor: cursor } = await api.ask('listEvents', { query: { cursor: 'latest', resends: true } })
  showEntry(
    { forwardTo, secretKey: key },
    () => `Forwarding events to ${forwardTo}, signed with the key ${key}\nPress Ctrl-C to stop.\n`,
  )
  let forwarded = 0
  while (!signal.aborted) {
    const found = await readEvents(api, cursor, signal)
    for (const event of found?.data ?? []) {
      const outcome = await forward(event, { url: forwardTo, secret: key })
      showEntry({ event, ...outcome }, () => describe(event, outcome))
      forwarded++
    }
    cursor = found?.nextCursor ?? cursor
    wait(`Waiting for events … ${formatCount(forwarded, 'event')} forwarded.`)
    if (!found?.data.length) await sleep(POLL_MS, undefined, { signal }).catch(() => {})
  }
}

/** Undefined while the service cannot be reached: it may be restarting. */
async function readEvents(api: IntegratorApi, cursor: string, signal: AbortSignal) {
  try {
    return await api.ask('listEvents', { query: { cursor, resends: true } })
  } catch (error) {
    if (!(error instanceof Unreachable) || signal.aborted) throw error
    note('The service does not answer. Trying again …')
    await sleep(POLL_MS, undefined, { signal }).catch(() => {})
    return undefined
  }
}

interface Outcome {
  status: number | null
  ms: number
  error?: string
}

/** Sends an event as the service would. */
async function forward(event: Event, { url, secret }: { url: string; secret: string }): Promise<Outcome> {
  const [body, now, started] = [JSON.stringify(event), new Date(), performance.now()]
  const headers = {
    'content-type': 'application/json',
    'user-agent': `order-testing-service/${version}`,
    'x-event-id': event.id,
    'x-delivery-attempt': '1',
    'x-signature': signV2({ body, secret, now }),
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signStandard({ id: event.id, body, secret, now }),
  }
  const ms = () => Math.round(performance.now() - started)
  try {
    const signal = AbortSignal.timeout(FORWARD_WITHIN_MS)
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    await response.body?.cancel()
    return { status: response.status, ms: ms() }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error & { code?: string } }
    return { status: null, ms: ms(), error: (cause?.message || cause?.code) ?? message }
  }
}

const describe = ({ type, data, createdAt }: Event, { status, ms, error }: Outcome) =>
  `${dim(createdAt)}  ${type}  ${data.code}  ${data.id}  ${statusText(status, error)}  ${ms} ms`

const statusText = (status: number | null, error: string | undefined) => {
  if (status === null) return red(`not delivered: ${error}`)
  return status < 300 ? green(String(status)) : red(String(status))
}

function readAddress(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('Expected an address such as http://localhost:4000/hook.')
  return new URL(text).href
}
