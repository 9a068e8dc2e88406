import { parse, type Endpoint, type SuccessStatus } from '@order-testing/contract'
import { ResultMessage } from '@order-testing/contract/operator'
import type { Caller } from '../domain/access/caller.ts'
import { readJson } from '../domain/json.ts'
import { Refusal, refuse } from '../domain/refusal.ts'
import { answerMessage, type Hl7Refusal } from '../intake/hl7-intake.ts'
import { readClinicMap } from '../operations/catalog/clinic-map.ts'
import { applyCatalog, diffCatalog, exportCatalog } from '../operations/catalog/operator-files.ts'
import { bytesOf, ok, type Answer, type Context, type RawOperation } from '../operations/operation.ts'
import { PooledRandom } from '../operations/pooled-random.ts'
import { postResult, readDocument, readResult } from '../operations/results/results.ts'
import { takeReport } from '../operations/results/take.ts'
import { queueUnapplied } from '../operations/results/unapplied.ts'
import type { Target } from '../store/db/address.ts'
import type { Prepare } from '../store/db/connection.ts'
import type { Key } from '../store/sealing/keyring.ts'
import type { Store } from '../store/store.ts'
import { handOver, OutOfMemory, SideThread, threadFile } from './side-thread.ts'

export const HL7_TYPES = ['application/hl7-v2', 'x-application/hl7-v2+er7'] as const

/** Bodies up to this size are processed in the event loop. */
export const MOST_IN_LOOP = 64 * 1024

/** Far more values than any result report has; a document is one value. */
const MOST_RESULT_VALUES = 1_000_000

/** An authorised request with a large body or about a catalog. */
export interface ThreadJob {
  operation:
    | 'exportCatalog'
    | 'applyCatalog'
    | 'diffCatalog'
    | 'readClinicMap'
    | 'postResult'
    | 'takeHl7'
    | 'readResult'
    | 'readDocument'
  caller: Caller
  policy: Context['policy']
  at: Date
  /** The W3C trace of the request. */
  trace?: string | undefined
  /** Id of the resource to read. */
  id?: string | undefined
  /** The version of the catalog that a file was compared with. */
  basedOn?: string | undefined
  /** How a report shows its person. */
  participants?: 'full' | 'masked' | undefined
  /** Unparsed: parsing it is most of the work. */
  body?: Uint8Array | undefined
  charset?: string | undefined
}

export interface ThreadAnswer {
  status: number
  bytes: Uint8Array
  /** Default: JSON. */
  type?: string | undefined
  /** Why an HL7 message was refused. */
  refusal?: Hl7Refusal
}

/** A job with the current keys, which may change while the thread lives. */
export type KeyedJob = ThreadJob & { keys: Key[] }

export type RunJob = (job: ThreadJob) => Promise<ThreadAnswer>

/** Separate threads for catalogs and result reports, so that neither waits for the other. */
export interface Threads {
  catalogs: RunJob
  results: RunJob
  stop: () => Promise<void>
}

/** How a thread connects to the database. */
export interface ThreadDatabase {
  target: Target
  keys: () => Key[]
  prepare?: Prepare
}

/** Starts threads with their own connections. Without a database to connect to, jobs run in the event loop. */
export function startThreads(store: Store, database: ThreadDatabase | undefined): Threads {
  const here: RunJob = (job) => doJob(job, store)
  if (!database) return { catalogs: here, results: here, stop: async () => {} }
  const catalogs = threadOn<KeyedJob, ThreadAnswer>(database)
  const results = threadOn<KeyedJob, ThreadAnswer>(database)
  return {
    catalogs: runnerOf(catalogs, database.keys),
    results: runnerOf(results, database.keys),
    stop: async () => void (await Promise.all([catalogs.stop(), results.stop()])),
  }
}

/** A thread that connects to this database. */
export const threadOn = <Job, Done>({ target, keys, prepare = 'auto' }: ThreadDatabase) =>
  new SideThread<Job, Done>(threadFile('thread', import.meta.url), () => ({ target, keys: keys(), prepare }))

const runnerOf =
  (thread: SideThread<KeyedJob, ThreadAnswer>, keys: () => Key[]): RunJob =>
  async (job) => {
    // HL7 is copied, because a failure is answered with a part of the message.
    const sent = job.body && job.operation !== 'takeHl7' ? handOver(job.body) : { bytes: job.body, transfer: [] }
    try {
      return await thread.run({ ...job, body: sent.bytes, keys: keys() }, sent.transfer)
    } catch (error) {
      if (error instanceof OutOfMemory)
        throw refuse('tooBig', 'The body needs more memory than is available for one request.')
      throw error
    }
  }

/** An operation that runs as a job in a thread. */
export const inThread =
  (operation: ThreadJob['operation'], run: RunJob): RawOperation<Endpoint> =>
  async ({ params, query, body, faults }, context) => {
    if (faults.length > 0) throw new Refusal(faults)
    const { id } = (params ?? {}) as { id?: string }
    const { basedOn, participants } = (query ?? {}) as Pick<ThreadJob, 'basedOn' | 'participants'>
    const answer = await run({
      ...jobOf(operation, context, body as Uint8Array | undefined),
      id,
      basedOn,
      participants,
    })
    if (operation === 'applyCatalog') context.catalogChanged()
    return { status: answer.status as SuccessStatus, type: answer.type, bytes: asBuffer(answer.bytes) }
  }

export const jobOf = (
  operation: ThreadJob['operation'],
  { caller, policy, now, trace }: Pick<Context, 'caller' | 'policy' | 'now' | 'trace'>,
  body?: Uint8Array,
): ThreadJob => ({ operation, caller, policy, at: now(), trace, body })

/** Processes an HL7 message and answers with its ACK, in a thread if it is large. */
export const takeHl7 = (
  message: { bytes: Buffer; charset?: string | undefined },
  context: Context,
  { results }: Pick<Threads, 'results'>,
): Promise<ThreadAnswer> =>
  message.bytes.length > MOST_IN_LOOP
    ? results({ ...jobOf('takeHl7', context, message.bytes), charset: message.charset })
    : takeHl7Here(message, context)

/** Does a job in the current thread. */
export async function doJob(job: ThreadJob, store: Store): Promise<ThreadAnswer> {
  const { operation, caller, policy, at, trace, id = '', body = new Uint8Array(), charset, basedOn } = job
  const { participants = 'masked' } = job
  const random = new PooledRandom()
  const context: Context = {
    caller,
    store,
    policy,
    defaultRateLimit: 0,
    now: () => at,
    random,
    trace,
    catalogChanged: () => {},
  }
  const work: Record<ThreadJob['operation'], () => Promise<ThreadAnswer>> = {
    exportCatalog: async () => toThreadAnswer(ok(await exportCatalog(context))),
    applyCatalog: async () => toThreadAnswer(ok(await applyCatalog(readJson(body), context, basedOn))),
    diffCatalog: async () => toThreadAnswer(ok(await diffCatalog(readJson(body), context))),
    readClinicMap: async () => toThreadAnswer(await readClinicMap({ ...NOTHING, params: undefined }, context)),
    postResult: async () => toThreadAnswer(await postResult({ ...NOTHING, body: readReport(body) }, context)),
    readResult: async () =>
      toThreadAnswer(await readResult({ ...NOTHING, query: { participants }, params: { id } }, context)),
    readDocument: async () => toThreadAnswer(await readDocument({ ...NOTHING, params: { id } }, context)),
    takeHl7: () => takeHl7Here({ bytes: asBuffer(body), charset }, context),
  }
  return work[operation]()
}

const NOTHING = { params: undefined, query: {}, headers: undefined, body: undefined }

async function takeHl7Here(
  { bytes, charset }: { bytes: Buffer; charset?: string | undefined },
  context: Context,
): Promise<ThreadAnswer> {
  const { caller, store, policy, now } = context
  const answer = await answerMessage(
    { bytes, charset },
    {
      caller,
      now,
      production: policy.production,
      take: (report, at) => takeReport(report, { ...context, now: () => at }),
      queue: (unapplied, at) => queueUnapplied(unapplied, { ...context, now: () => at }),
      original: async ({ tenantId, id }) => (await store.results.read(tenantId, id))?.content.original,
    },
  )
  return { ...answer, type: HL7_TYPES[0] }
}

function readReport(body: Uint8Array): ResultMessage {
  const parsed = parse(ResultMessage, readJson(body, { values: MOST_RESULT_VALUES }))
  if (!parsed.ok) throw new Refusal(parsed.problems)
  return parsed.value
}

const toThreadAnswer = (answer: Answer<unknown>): ThreadAnswer => ({
  status: answer.status,
  bytes: bytesOf(answer),
  type: 'type' in answer ? answer.type : undefined,
})

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
