import { STATUS_CODES } from 'node:http'
import { Option, type Command } from 'commander'
import { ErrorBody, type Endpoint, type endpoints as integratorContract, type Reply } from '@order-testing/contract'
import type { operatorEndpoints as operatorContract } from '@order-testing/contract/operator'
import { mode } from './output/mode.ts'
import { printJson, showDone } from './output/print.ts'
import { escapeControls } from './output/table.ts'
import { reachableHost } from './run/banner.ts'
import { readConfig } from './run/settings.ts'
import { noteService } from './target.ts'

/** The service refused the request, or cannot be reached. */
export class ApiRefusal extends Error {
  /** Members of the error body that the service answered with. */
  readonly body: Partial<Pick<ErrorBody, 'statusCode' | 'errors'>>

  constructor(message: string, body: ApiRefusal['body'] = {}) {
    super(message)
    this.body = body
  }
}

/** The service cannot be reached. */
export class Unreachable extends ApiRefusal {}

export interface ApiOptions {
  url?: string
  token?: string
}

const TIMEOUT_MS = 60_000

/** Adds the options of a command that calls a running service. */
export const withService = (command: Command, kind = 'an operator token') =>
  command
    .addOption(new Option('--url <url>', 'address of the service').env('OTS_URL'))
    .addOption(new Option('--token <secret>', `secret of ${kind}`).env('OTS_TOKEN'))

/** The same for a command of integrators. */
export const withIntegratorService = (command: Command) => withService(command, 'an API token')

interface Request {
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | undefined>
  headers?: Record<string, string>
  body?: unknown
}

/** A body of any type. */
export interface Content {
  type: string
  content: string | Buffer
}

interface Response {
  status: number
  type: string
  text: string
  bytes: Buffer
}

/** A client of a running service. */
abstract class ServiceClient<Endpoints extends Record<string, Endpoint>> {
  readonly #base: string
  readonly #token: string

  constructor({ url, token }: ApiOptions, noToken: string) {
    if (token === undefined || token === '') throw new ApiRefusal(noToken)
    if (/[^\x21-\x7e]/.test(token)) throw new ApiRefusal('A token contains only ASCII characters and no spaces.')
    this.#base = readBase(url)
    this.#token = token
    noteService(this.#base)
  }

  /** Calls an operation of the contract and returns its reply. */
  async ask<N extends keyof Endpoints & string>(name: N, request: Request = {}): Promise<Reply<Endpoints[N]>> {
    const { body } = request
    const sent = body === undefined ? undefined : { type: 'application/json', content: JSON.stringify(body) }
    const { status, text } = await this.send(name, request, sent)
    if (status >= 300) throw toRefusal(status, text)
    return JSON.parse(text) as Reply<Endpoints[N]>
  }

  /** Sends a body of any type and returns the response whatever its status. */
  async send(name: keyof Endpoints & string, request: Request, sent?: Content): Promise<Response> {
    const endpoint: Endpoint = (await this.loadEndpoints())[name]!
    try {
      const response = await fetch(`${this.#base}${toPath(endpoint, request)}`, {
        method: endpoint.method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(sent && { 'content-type': sent.type }),
          ...request.headers,
        },
        ...(sent && { body: sent.content }),
        // A server that redirects is not the service, and must not get the token.
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const type = response.headers.get('content-type') ?? ''
      const bytes = Buffer.from(await response.arrayBuffer())
      return { status: response.status, type, text: bytes.toString(), bytes }
    } catch (error) {
      throw new Unreachable(`Cannot reach the service at ${this.#base}: ${toReason(error as Error)}.\n${NOT_RUNNING}`)
    }
  }

  /** Loaded when they are needed, because other commands should not wait for them. */
  protected abstract loadEndpoints(): Promise<Endpoints>
}

/** A client of the operator API. */
export class Api extends ServiceClient<typeof operatorContract> {
  constructor(options: ApiOptions) {
    super(options, NO_TOKEN)
  }

  protected async loadEndpoints() {
    return (await import('@order-testing/contract/operator')).operatorEndpoints
  }
}

/** A client of the API for integrators. */
export class IntegratorApi extends ServiceClient<typeof integratorContract> {
  constructor(options: ApiOptions) {
    super(options, NO_INTEGRATOR_TOKEN)
  }

  protected async loadEndpoints() {
    return (await import('@order-testing/contract')).endpoints
  }
}

/** Looks up the id of an order given by its id or code. */
export async function findOrderId(api: Api, order: string | undefined): Promise<string | undefined> {
  if (order === undefined || order.startsWith('ord_')) return order
  return (await api.ask('operatorReadOrder', { params: { id: order } })).order.id
}

/** Goes on after a refusal, shows what was done, and reports all refusals at the end. */
export async function forEachId<T>(
  ids: string[],
  work: (id: string) => Promise<T>,
  toText: (done: T) => string,
): Promise<void> {
  const [done, refusals]: [T[], { id: string; error: ApiRefusal }[]] = [[], []]
  for (const id of new Set(ids)) {
    try {
      const each = await work(id)
      done.push(each)
      if (!mode.json) showDone(each, toText)
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error
      refusals.push({ id, error })
    }
  }
  if (mode.json) printJson(done)
  if (refusals.length === 0) return
  const messages = refusals.map(({ id, error }) => (ids.length > 1 ? `${id}: ${error.message}` : error.message))
  const errors = refusals.flatMap(({ id, error }) =>
    (error.body.errors ?? []).map((each) => ({ ...each, meta: { ...each.meta, id } })),
  )
  throw new ApiRefusal(messages.join('\n'), { errors })
}

const NO_TOKEN = `Set OTS_TOKEN to the secret of an operator token, or pass it with --token.
Create one with: ots token create --scopes 'operator.*'. A sandbox with the demo catalog prints one when it starts.`

const NO_INTEGRATOR_TOKEN = `Set OTS_TOKEN to the secret of an API token, or pass it with --token.
Create one with: ots token create --scopes all. A sandbox with the demo catalog prints one when it starts.`

const NOT_RUNNING = 'Is it running? Set another address with OTS_URL or --url.'

/** The errors that the service answered with, one per line. */
export function toRefusal(status: number, text: string): ApiRefusal {
  const head = `The service refused this: ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
  const parsed = ErrorBody.safeParse(parseJson(text))
  if (!parsed.success)
    return new ApiRefusal(`${head}\n${escapeControls(text.slice(0, 500))}`.trimEnd(), { statusCode: status })
  const lines = parsed.data.errors.map(
    ({ code, detail, source }) => `  ${source ? `${source.pointer}: ` : ''}${detail} (${code})`,
  )
  const { statusCode, errors } = parsed.data
  return new ApiRefusal([head, ...lines.map((line) => escapeControls(line))].join('\n'), { statusCode, errors })
}

function toPath({ path }: Endpoint, { params = {}, query = {} }: Request): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  const search = new URLSearchParams(given).toString()
  return search === '' ? filled : `${filled}?${search}`
}

function readBase(url: string | undefined): string {
  // Shells and containers set a variable to the empty string to unset it.
  if (url === undefined || url === '') {
    const { host, port } = readConfig(process.env)
    return `http://${reachableHost(host)}:${port}`
  }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new ApiRefusal(`Invalid address "${escapeControls(url)}". Expected one such as https://ots.example.com.`)
  return url.replace(/[?#].*$/, '').replace(/\/+$/, '')
}

/** The cause says more than "fetch failed". */
function toReason(error: Error): string {
  if (error.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} seconds`
  const { code, message } = (error.cause ?? error) as { code?: string; message?: string }
  return code === 'ECONNREFUSED' ? 'connection refused' : message || code || error.message
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
