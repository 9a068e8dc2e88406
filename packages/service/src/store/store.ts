import type { Caller } from '../domain/access/caller.ts'
import { alike, type Alike } from './orders/alike.ts'
import type { Search } from './matching/searches.ts'
import { audit } from './audit/audit.ts'
import { auditChain } from './audit/chain.ts'
import { auditCheck } from './audit/check.ts'
import { auditPruning } from './audit/pruning.ts'
import { Batches } from './db/batches.ts'
import { bookings } from './bookings/bookings.ts'
import { callbacks } from './webhooks/callbacks.ts'
import { catalog } from './catalog/files.ts'
import { clinics } from './catalog/clinics.ts'
import { companies } from './catalog/companies.ts'
import type { Db } from './db/db.ts'
import type { Pool } from './db/pool.ts'
import type { TransactionOptions } from './db/transaction.ts'
import { Turns } from './db/turns.ts'
import { deliveries } from './webhooks/deliveries.ts'
import { deliveryQueue } from './webhooks/queue.ts'
import { deliveryRecords } from './webhooks/records.ts'
import { deliveryWorkers } from './webhooks/workers.ts'
import { drafts } from './participants/drafts.ts'
import { idempotency } from './orders/idempotency.ts'
import { keyChecks } from './sealing/key-checks.ts'
import type { Keyring } from './sealing/keyring.ts'
import { laboratoryCodes } from './catalog/laboratory-codes.ts'
import { legalHolds } from './retention/legal-holds.ts'
import { links } from './participants/links.ts'
import { locations } from './catalog/locations.ts'
import { mailbox } from './notifications/mailbox.ts'
import { notificationQuota } from './notifications/quota.ts'
import { notifications } from './notifications/notifications.ts'
import { knownCandidates, orderFacts, type KnownCandidates } from './orders/facts.ts'
import { orderCounts } from './orders/counts.ts'
import type { NewOrder } from './orders/insertion.ts'
import { orderList } from './orders/list.ts'
import type { OrderTexts } from './orders/rows.ts'
import { orderRemoval } from './orders/removal.ts'
import { orders } from './orders/orders.ts'
import { outbox } from './webhooks/outbox.ts'
import { packages } from './catalog/packages.ts'
import { receiverRecords } from './webhooks/receiver-records.ts'
import { receivers } from './webhooks/receivers.ts'
import { refusedMessages } from './results/refused-reports.ts'
import { resealing } from './resealing.ts'
import { results } from './results/results.ts'
import { retention } from './retention/retention.ts'
import { services } from './catalog/services.ts'
import { tokens } from './access/tokens.ts'

/** The store's parts. `queued` is called when there is something to deliver, as soon as the transaction commits. */
const PARTS = {
  alike: ({ db, keyring }: Ground) => alike(db, keyring),
  audit: ({ db, keyring }: Ground) => audit(db, keyring),
  auditChain: ({ db }: Ground) => auditChain(db),
  auditCheck: ({ db, keyring }: Ground) => auditCheck(db, keyring),
  auditPruning: ({ db, keyring }: Ground) => auditPruning(db, keyring),
  bookings: ({ db, keyring }: Ground) => bookings(db, keyring),
  callbacks: ({ db, keyring }: Ground) => callbacks(db, keyring),
  catalog: ({ db }: Ground) => catalog(db),
  clinics: ({ db }: Ground) => clinics(db),
  companies: ({ db }: Ground) => companies(db),
  deliveries: ({ db, keyring }: Ground) => deliveries(db, keyring),
  deliveryQueue: ({ db }: Ground) => deliveryQueue(db),
  deliveryRecords: ({ db, keyring }: Ground) => deliveryRecords(db, keyring),
  deliveryWorkers: ({ db }: Ground) => deliveryWorkers(db),
  drafts: ({ keyring }: Ground) => drafts(keyring),
  idempotency: ({ db, keyring }: Ground) => idempotency(db, keyring),
  keyChecks: ({ db, keyring }: Ground) => keyChecks(db, keyring),
  laboratoryCodes: ({ db }: Ground) => laboratoryCodes(db),
  legalHolds: ({ db }: Ground) => legalHolds(db),
  links: ({ db }: Ground) => links(db),
  locations: ({ db }: Ground) => locations(db),
  mailbox: ({ db, keyring }: Ground) => mailbox(db, keyring),
  notificationQuota: ({ db }: Ground) => notificationQuota(db),
  notifications: ({ db, keyring }: Ground) => notifications(db, keyring),
  orderFacts: ({ db, candidates }: Ground) => orderFacts(db, candidates),
  orderCounts: ({ db }: Ground) => orderCounts(db),
  orderList: ({ db, keyring }: Ground) => orderList(db, keyring),
  orderRemoval: ({ db }: Ground) => orderRemoval(db),
  orders: ({ db, keyring }: Ground) => orders(db, keyring),
  outbox: ({ db, keyring, queued }: Ground) => outbox(db, keyring, queued),
  packages: ({ db }: Ground) => packages(db),
  receiverRecords: ({ db }: Ground) => receiverRecords(db),
  receivers: ({ db }: Ground) => receivers(db),
  refusedMessages: ({ db, keyring }: Ground) => refusedMessages(db, keyring),
  resealing: ({ db, keyring }: Ground) => resealing(db, keyring),
  retention: ({ db }: Ground) => retention(db),
  results: ({ db, keyring }: Ground) => results(db, keyring),
  services: ({ db }: Ground) => services(db),
  tokens: ({ db }: Ground) => tokens(db),
}

/** What the parts stand on: the pool or one transaction of it. */
interface Ground {
  db: Db
  keyring: Keyring
  candidates: KnownCandidates
  queued: () => void
}

/** Everything that can be asked of the database inside one transaction. */
export type Transaction = { [Name in keyof typeof PARTS]: ReturnType<(typeof PARTS)[Name]> }

const NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[]

const allOn = (ground: Ground) =>
  Object.fromEntries(NAMES.map((name) => [name, PARTS[name](ground)])) as unknown as Transaction

/** Makes a part when it is asked for: a transaction needs two or three of them, and there are many transactions. */
const AS_NEEDED = Object.defineProperties(
  {},
  Object.fromEntries(
    NAMES.map((name) => [
      name,
      {
        get(this: Ground) {
          return PARTS[name](this)
        },
      },
    ]),
  ),
)

const asNeededOn = (ground: Ground) => Object.assign(Object.create(AS_NEEDED) as Transaction, ground)

export type Store = ReturnType<typeof createStore>

/** Few statements with many rows each write more than many statements do, which wait for each other. */
const WRITES = { most: 64, atOnce: 2, pick: withoutSharedWords }
const READS = { most: 64, atOnce: 4 }
/** A search costs little beside its statement. */
const SEARCHES = { most: 64, atOnce: 1 }

/** Each compares up to 200 orders, and those for the same purpose wait for each other. */
const WIDE_SEARCHES = { atOnce: 2, ofOneParty: 1, waiting: 64 }
/** Fewer than there are connections for transactions, since orders that share a blocking key wait for each other. */
const SINGLE_PLACEMENTS = { atOnce: 6, ofOneParty: 4, waiting: 256 }

export function createStore(pool: Pool, keyring: Keyring) {
  const listeners = new Set<() => void>()
  const announce = () => {
    for (const listener of listeners) listener()
  }
  const candidates = knownCandidates()
  const own = allOn({ db: pool, keyring, candidates, queued: announce })
  const placing = new Batches<NewOrder, boolean>((added) => own.orders.insert(added), WRITES)
  const searching = new Batches<Search, Alike[]>((searches) => own.alike.find(searches), SEARCHES)
  const reading = new WeakMap<Caller, Batches<string, OrderTexts | undefined>>()
  const readingOf = (caller: Caller) => {
    const batches =
      reading.get(caller) ??
      new Batches(async (ids: string[]) => {
        const rows = await own.orders.findVisible(caller, ids)
        const found = new Map(rows.map((row) => [row.id, own.orders.open(caller, row)]))
        return ids.map((id) => found.get(id))
      }, READS)
    reading.set(caller, batches)
    return batches
  }
  return {
    ...own,

    /** The turns of transactions that place an order after a wide search, by token. */
    wideSearches: new Turns(WIDE_SEARCHES),

    /** The turns of other transactions that search for equivalent orders and place one, by token. */
    singlePlacements: new Turns(SINGLE_PLACEMENTS),

    /** Finds what a new order may repeat, together with others that are searched for at the same time. */
    findAlike: (search: Search): Promise<Alike[]> => searching.add(search),

    /** Places an order, together with others that are placed at the same time; false where one like it has come first. */
    placeOrder: (added: NewOrder): Promise<boolean> => placing.add(added),

    /** Reads an order, together with others that are read at the same time. */
    readOrder: (caller: Caller, id: string): Promise<OrderTexts | undefined> => readingOf(caller).add(id),

    /** Calls back whenever this process has committed something to deliver. */
    onQueued(listener: () => void): void {
      listeners.add(listener)
    },

    async transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
      let isQueued = false
      const result = await pool.transaction(
        (db) => work(asNeededOn({ db, keyring, candidates, queued: () => (isQueued = true) })),
        options,
      )
      if (isQueued) announce()
      return result
    },

    /** Reads what all tells of the same moment. */
    snapshot: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      pool.transaction((db) => work(asNeededOn({ db, keyring, candidates, queued: announce })), {
        mode: 'isolation level repeatable read read only',
      }),

    /** After large changes of the catalog: tells the planner, and merges pending index entries. */
    settle: (): Promise<void> =>
      pool.transaction(
        async (db) => {
          // A function of the schema's owner: the service's role may do neither.
          await db`select settle_tables(array['clinics', 'clinic_records', 'clinic_words'])`
        },
        { isUnlimited: true },
      ),

    /** Has the planner look again at tables that have changed much, and names them; one process at a time. */
    async renewStatistics(): Promise<string[]> {
      const rows = await pool.transaction((db) => db<{ name: string }[]>`select renew_statistics() as name`, {
        isUnlimited: true,
      })
      return rows.map(({ name }) => name)
    },
    /** The id of the key that values are sealed with now. */
    currentKeyId: (): string => keyring.currentId,

    /** Whether the database answers. */
    async ping(): Promise<void> {
      await pool`select 1`
    },
  }
}

/** Each is a lock, and a server has thousands of them for all. */
const MOST_WORDS = 500

/**
 * Orders that share a blocking key, and so could be for the same person and purpose, go one after the other: together they
 * would wait for each other in the database. All that wait are considered, so that many which share a key do not hold up
 * the others behind them.
 */
function withoutSharedWords(waiting: NewOrder[], underWay: NewOrder[]): NewOrder[] {
  const taken = new Set(underWay.flatMap((added) => lockedWords(added)))
  const picked: NewOrder[] = []
  let words = 0
  for (const added of waiting) {
    const keys = lockedWords(added)
    const isFull = picked.length > 0 && words + keys.length > MOST_WORDS
    if (isFull || keys.some((key) => taken.has(key))) continue
    for (const key of keys) taken.add(key)
    words += keys.length
    if (picked.push(added) === WRITES.most) break
  }
  return picked
}

const lockedWords = ({ searched }: NewOrder) =>
  searched ? searched.search.words.map((word) => `${searched.search.caller.tenantId} ${word}`) : []
