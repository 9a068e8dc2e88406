import type { FastifyBaseLogger } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { HL7_DOORS } from '@order-testing/contract/operator'
import type { Hl7Answer } from '../../intake/hl7-door.ts'
import type { Context } from '../../operations/operation.ts'
import { noteRefused } from '../../operations/results/refused-reports.ts'
import type { Store } from '../../store/store.ts'
import { Windows } from '../limits/rate-limit.ts'

/** How a message came in. */
export interface Origin {
  door: (typeof HL7_DOORS)[number]
  address: string | null
  bytes: Buffer
}

/** What became of a message; `kept` ones were answered AE and wait for an operator. */
const OUTCOMES = ['applied', 'queued', 'kept', 'refused', 'failed'] as const
type Outcome = (typeof OUTCOMES)[number]

/** Whose token brought a message. */
export interface Bearer {
  /** Tells tokens apart. */
  key: string
  /** Undefined where nobody has such a token. Asked for only where the message is listed: it may have to be looked up. */
  owner: () => Owner | undefined | Promise<Owner | undefined>
}

type Owner = Pick<Context['caller'], 'tenantId' | 'tokenId'>

export const bearerOf = ({ tenantId, tokenId }: Owner): Bearer => ({
  key: `${tenantId}\n${tokenId}`,
  owner: () => ({ tenantId, tokenId }),
})

/** Refused messages of a token listed in a minute: a flood of them is counted and logged, but does not fill the database. */
const LISTED_A_MINUTE = 120

interface Surroundings extends Pick<Context, 'now' | 'random'> {
  store: Store
  log: FastifyBaseLogger
  registry: Registry
}

/** Counts messages in HL7 by what became of them, and logs and lists those that are refused. */
export class Hl7Watch {
  readonly #surroundings: Surroundings
  readonly #messages: Counter<'door' | 'outcome'>
  readonly #listed: Windows

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
    this.#listed = new Windows(() => surroundings.now().getTime())
    this.#messages = new Counter({
      name: 'ots_hl7_messages_total',
      help: 'Messages in HL7, by how they came and by what became of them.',
      labelNames: ['door', 'outcome'],
      registers: [surroundings.registry],
    })
    for (const door of HL7_DOORS) for (const outcome of OUTCOMES) this.#messages.inc({ door, outcome }, 0)
  }

  count(door: Origin['door'], outcome: Outcome): void {
    this.#messages.inc({ door, outcome })
  }

  /** Takes note of an answer. A refusal that cannot be listed is still one: it is logged. */
  async note(
    { status, refusal }: { status: number; refusal?: Hl7Answer['refusal'] },
    { door, address, bytes }: Origin,
    bearer: Bearer,
  ): Promise<void> {
    if (!refusal) return this.count(door, status === 200 ? 'applied' : status === 202 ? 'queued' : 'kept')
    this.count(door, 'refused')
    const { log } = this.#surroundings
    const mayList = this.#listed.count(bearer.key).count <= LISTED_A_MINUTE
    const owner = mayList ? await bearer.owner() : undefined
    log.warn({ door, address, token: owner?.tokenId, ...refusal }, 'Refused HL7 message')
    if (!owner) return
    try {
      await noteRefused({ ...refusal, door, address, bytes }, owner, this.#surroundings)
    } catch (error) {
      log.error({ err: error as Error }, 'Failed to list a refused HL7 message')
    }
  }
}
