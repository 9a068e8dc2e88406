import type { FastifyBaseLogger } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { HL7_DOORS } from '@order-testing/contract/operator'
import type { Hl7Answer } from '../../intake/hl7-intake.ts'
import type { Context } from '../../operations/operation.ts'
import { recordRefused } from '../../operations/results/refused-reports.ts'
import { nameOf } from '../limits/fair-queue.ts'
import { Windows } from '../limits/rate-limit.ts'

/** Where a message came from. */
export interface Origin {
  door: (typeof HL7_DOORS)[number]
  address: string | null
  bytes: Buffer
}

/** `kept` messages were answered AE and wait for an operator. */
const OUTCOMES = ['applied', 'queued', 'kept', 'refused', 'failed'] as const
type Outcome = (typeof OUTCOMES)[number]

/** The token that a message came with. */
export interface Bearer {
  key: string
  /** Undefined if the token is unknown. Called only if the message is recorded, because it may query the database. */
  owner: () => Owner | undefined | Promise<Owner | undefined>
}

type Owner = Pick<Context['caller'], 'tenantId' | 'tokenId'>

export const bearerOf = ({ tenantId, tokenId }: Owner): Bearer => ({
  key: nameOf({ tenantId, tokenId }),
  owner: () => ({ tenantId, tokenId }),
})

/** Refused messages recorded per token and minute. More are only counted and logged, so that they cannot fill the database. */
const RECORDED_PER_MINUTE = 120

interface Dependencies extends Pick<Context, 'store' | 'now' | 'random'> {
  log: FastifyBaseLogger
  registry: Registry
}

/** Counts HL7 messages by outcome, and logs and records refused ones. */
export class Hl7Watch {
  readonly #dependencies: Dependencies
  readonly #messages: Counter<'door' | 'outcome'>
  readonly #recorded: Windows

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#recorded = new Windows(() => dependencies.now().getTime())
    this.#messages = new Counter({
      name: 'ots_hl7_messages_total',
      help: 'HL7 messages by origin and outcome.',
      labelNames: ['door', 'outcome'],
      registers: [dependencies.registry],
    })
    for (const door of HL7_DOORS) for (const outcome of OUTCOMES) this.#messages.inc({ door, outcome }, 0)
  }

  count(door: Origin['door'], outcome: Outcome): void {
    this.#messages.inc({ door, outcome })
  }

  /** Counts an answer, and records it if the message was refused. */
  async record(
    { status, refusal }: { status: number; refusal?: Hl7Answer['refusal'] },
    { door, address, bytes }: Origin,
    bearer: Bearer,
  ): Promise<void> {
    if (!refusal) return this.count(door, status === 200 ? 'applied' : status === 202 ? 'queued' : 'kept')
    this.count(door, 'refused')
    const { log } = this.#dependencies
    const mayRecord = this.#recorded.count(bearer.key).count <= RECORDED_PER_MINUTE
    const owner = mayRecord ? await bearer.owner() : undefined
    log.warn({ door, address, token: owner?.tokenId, ...refusal }, 'Refused HL7 message')
    if (!owner) return
    try {
      await recordRefused({ ...refusal, door, address, bytes }, owner, this.#dependencies)
    } catch (error) {
      log.error({ err: error as Error }, 'Failed to record a refused HL7 message')
    }
  }
}
