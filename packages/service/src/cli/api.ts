import { STATUS_CODES } from 'node:http'
import { Option, type Command } from 'commander'
import { ErrorBody, type Endpoint, type Reply } from '@order-testing/contract'
import type { operatorEndpoints as contract } from '@order-testing/contract/operator'
import { reachable } from './run/banner.ts'
import { readConfig } from './run/settings.ts'
import { visible } from './output/table.ts'

/** What the service would not do, or why it could not be asked. */
export class ApiRefusal extends Error {}

/** How a command finds the service and shows who asks. */
export interface ApiOptions {
  url?: string
  token?: string
}

const WAIT_MS = 60_000

/** Options of a command that asks the running service, not the database. */
export const withService = (command: Command) =>
  command
    .addOption(
      new Option('--url <address>', 'where the service is (default: HOST and PORT of the settings)').env('OTS_URL'),
    )
    .addOption(new Option('--token <secret>', 'secret of an operator’s token').env('OTS_TOKEN'))

type Endpoints = typeof contract
type Name = keyof Endpoints

interface Asked {
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  body?: unknown
}

interface Answered {
  status: number
  type: string
  text: string
}

/** The service, as an operator's token may ask it. */
export class Api {
  readonly #base: string
  readonly #token: string

  constructor({ url, token }: ApiOptions) {
    if (token === undefined || token === '') throw new ApiRefusal(NO_TOKEN)
    if (/[^\x21-\x7e]/.test(token)) throw new ApiRefusal('A token holds no blanks and no letters beyond ASCII.')
    this.#base = readBase(url)
    this.#token = token
  }

  /** Asks one operation of the contract, and gives what it replies. */
  async ask<N extends Name>(name: N, asked: Asked = {}): Promise<Reply<Endpoints[N]>> {
    const { body } = asked
    const sent = body === undefined ? undefined : { type: 'application/json', content: JSON.stringify(body) }
    const { status, text } = await this.send(name, asked, sent)
    if (status >= 300) throw refusalOf(status, text)
    return JSON.parse(text) as Reply<Endpoints[N]>
  }

  /** Sends a body as it is, and gives the answer as it is. */
  async send(name: Name, asked: Asked, sent?: { type: string; content: string | Buffer }): Promise<Answered> {
    // Only here: other commands need not wait until all of it is loaded.
    const { operatorEndpoints } = await import('@order-testing/contract/operator')
    const endpoint: Endpoint = operatorEndpoints[name]
    try {
      const response = await fetch(`${this.#base}${placeOf(endpoint, asked)}`, {
        method: endpoint.method,
        headers: { authorization: `Bearer ${this.#token}`, ...(sent && { 'content-type': sent.type }) },
        ...(sent && { body: sent.content }),
        // A server that redirects is not the service, and must not see the token.
        redirect: 'error',
        signal: AbortSignal.timeout(WAIT_MS),
      })
      const type = response.headers.get('content-type') ?? ''
      return { status: response.status, type, text: await response.text() }
    } catch (error) {
      throw new ApiRefusal(`Cannot reach the service at ${this.#base}: ${reasonOf(error as Error)}.\n${ELSEWHERE}`)
    }
  }
}

/** Where only the id of an order will do, its code has to be looked up. */
export async function orderIdOf(api: Api, name: string): Promise<string> {
  if (name.startsWith('ord_')) return name
  return (await api.ask('operatorReadOrder', { params: { id: name } })).order.id
}

function placeOf({ path }: Endpoint, { params = {}, query = {} }: Asked): string {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  const search = new URLSearchParams(Object.fromEntries(given) as Record<string, string>).toString()
  return search === '' ? place : `${place}?${search}`
}

const NO_TOKEN = `Name the secret of an operator's token in OTS_TOKEN, or with --token.
To get one: ots token create --scopes 'operator.*'. A sandbox with the demo catalog prints one when it starts.`

const ELSEWHERE = 'Is it running? OTS_URL or --url names another address.'

/** What the service said, in its words: one line for each problem. */
export function refusalOf(status: number, text: string): ApiRefusal {
  const head = `The service refused this: ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
  const parsed = ErrorBody.safeParse(parseJson(text))
  if (!parsed.success) return new ApiRefusal(`${head}\n${visible(text.slice(0, 500))}`.trimEnd())
  const lines = parsed.data.errors.map(
    ({ code, detail, source }) => `  ${source ? `${source.pointer}: ` : ''}${detail} (${code})`,
  )
  return new ApiRefusal([head, ...lines.map((line) => visible(line))].join('\n'))
}

function readBase(url: string | undefined): string {
  // An empty variable is how shells and containers spell "not set".
  if (url === undefined || url === '') {
    const { host, port } = readConfig(process.env)
    return `http://${reachable(host)}:${port}`
  }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new ApiRefusal(`"${visible(url)}" is no address such as https://ots.example.com.`)
  return url.replace(/[?#].*$/, '').replace(/\/+$/, '')
}

/** Why no answer came: what lies beneath says more than "fetch failed". */
function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return `no answer within ${WAIT_MS / 1000} seconds`
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
