import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError, type Command } from 'commander'
import { signStandard, signV2, type Event } from '@order-testing/contract'
import { IntegratorApi, Unreachable, withIntegratorService, type ApiOptions } from '../api.ts'
import { print } from '../output/table.ts'
import { version } from '../version.ts'

interface ListenOptions extends ApiOptions {
  forwardTo: string
  secret?: string
  json?: boolean
}

const POLL_MS = 1_000
const FORWARD_WITHIN_MS = 15_000

export function define(listen: Command): void {
  withIntegratorService(listen)
    .requiredOption('--forward-to <url>', 'address to send events to, such as http://localhost:4000/hook', readAddress)
    .option('--secret <key>', 'key to sign events with (default: a new one, which is printed)')
    .option('--json', 'print a line of JSON for each event')
    .action(async (options: ListenOptions) => {
      const stop = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) void once(process, signal).then(() => stop.abort())
      await forwardEvents(options, stop.signal)
    })
}

/** Sends the events of the token's orders to an address, as they happen, until it is stopped. */
async function forwardEvents({ forwardTo, secret, json, ...options }: ListenOptions, signal: AbortSignal) {
  const api = new IntegratorApi(options)
  const key = secret ?? `whk_${randomBytes(24).toString('base64url')}`
  let { nextCursor: cursor } = await api.ask('listEvents', { query: { cursor: 'latest', resends: true } })
  if (!json) print(`Forwarding events to ${forwardTo}, signed with the key ${key}\nPress Ctrl-C to stop.\n`)
  while (!signal.aborted) {
    const found = await readEvents(api, cursor, signal)
    for (const event of found?.data ?? []) {
      const outcome = await forward(event, { url: forwardTo, secret: key })
      print(json ? JSON.stringify({ event, ...outcome }) : describe(event, outcome))
    }
    cursor = found?.nextCursor ?? cursor
    if (!found?.data.length) await sleep(POLL_MS, undefined, { signal }).catch(() => {})
  }
}

/** Undefined while the service cannot be reached: it may be restarting. */
async function readEvents(api: IntegratorApi, cursor: string, signal: AbortSignal) {
  try {
    return await api.ask('listEvents', { query: { cursor, resends: true } })
  } catch (error) {
    if (!(error instanceof Unreachable) || signal.aborted) throw error
    process.stderr.write('The service does not answer. Trying again …\n')
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
  `${createdAt}  ${type}  ${data.code}  ${data.id}  ${status ?? `not delivered: ${error}`}  ${ms} ms`

function readAddress(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('Expected an address such as http://localhost:4000/hook.')
  return new URL(text).href
}
