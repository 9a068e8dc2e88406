import type { Caller } from '../domain/caller.ts'
import { alike, type Alike, type Search } from './alike.ts'
import { audit } from './audit.ts'
import { Batches } from './db/batches.ts'
import { bookings } from './bookings.ts'
import { catalog } from './catalog.ts'
import { clinics } from './clinics.ts'
import { companies } from './companies.ts'
import type { Db, Pool, TransactionOptions } from './db/pool.ts'
import { deliveries } from './deliveries.ts'
import { deliveryRecords } from './delivery-records.ts'
import { drafts } from './drafts.ts'
import { idempotency } from './idempotency.ts'
import { keyChecks } from './key-checks.ts'
import type { Keyring } from './keyring.ts'
import { links } from './links.ts'
import { locations } from './locations.ts'
import { mailbox } from './mailbox.ts'
import { messages } from './messages.ts'
import { orderFacts } from './order-facts.ts'
import { orderCounts } from './order-counts.ts'
import type { NewOrder } from './order-insertion.ts'
import { orderList } from './order-list.ts'
import type { ReadyOrder } from './order-rows.ts'
import { orders } from './orders.ts'
import { outbox } from './outbox.ts'
import { packages } from './packages.ts'
import { receivers } from './receivers.ts'
import { resealing } from './resealing.ts'
import { results } from './results.ts'
import { services } from './services.ts'
import { tokens } from './tokens.ts'

/** The store's parts. `queued` is called when there is something to deliver, as soon as the transaction commits. */
const PARTS = {
  alike: ({ db, keyring }: Ground) => alike(db, keyring),
  audit: ({ db }: Ground) => audit(db),
  bookings: ({ db, keyring }: Ground) => bookings(db, keyring),
  catalog: ({ db }: Ground) => catalog(db),
  clinics: ({ db }: Ground) => clinics(db),
  companies: ({ db }: Ground) => companies(db),
  deliveries: ({ db, keyring }: Ground) => deliveries(db, keyring),
  deliveryRecords: ({ db, keyring }: Ground) => deliveryRecords(db, keyring),
  drafts: ({ keyring }: Ground) => drafts(keyring),
  idempotency: ({ db, keyring }: Ground) => idempotency(db, keyring),
  keyChecks: ({ db, keyring }: Ground) => keyChecks(db, keyring),
  links: ({ db }: Ground) => links(db),
  locations: ({ db }: Ground) => locations(db),
  mailbox: ({ db, keyring }: Ground) => mailbox(db, keyring),
  messages: ({ db, keyring }: Ground) => messages(db, keyring),
  orderFacts: ({ db }: Ground) => orderFacts(db),
  orderCounts: ({ db }: Ground) => orderCounts(db),
  orderList: ({ db, keyring }: Ground) => orderList(db, keyring),
  orders: ({ db, keyring }: Ground) => orders(db, keyring),
  outbox: ({ db, keyring, queued }: Ground) => outbox(db, keyring, queued),
  packages: ({ db }: Ground) => packages(db),
  receivers: ({ db }: Ground) => receivers(db),
  resealing: ({ db, keyring }: Ground) => resealing(db, keyring),
  results: ({ db, keyring }: Ground) => results(db, keyring),
  services: ({ db }: Ground) => services(db),
  tokens: ({ db }: Ground) => tokens(db),
}

/** What the parts stand on: the pool or one transaction of it. */
interface Ground {
  db: Db
  keyring: Keyring
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

export function createStore(pool: Pool, keyring: Keyring) {
  const listeners = new Set<() => void>()
  const announce = () => {
    for (const listener of listeners) listener()
  }
  const own = allOn({ db: pool, keyring, queued: announce })
  const placing = new Batches<NewOrder, boolean>((added) => own.orders.insert(added), WRITES)
  const searching = new Batches<Search, Alike[]>((searches) => own.alike.find(searches), SEARCHES)
  const reading = new WeakMap<Caller, Batches<string, ReadyOrder | undefined>>()
  const readingOf = (caller: Caller) => {
    const batches =
      reading.get(caller) ??
      new Batches(async (ids: string[]) => {
        const found = new Map((await own.orders.findVisible(caller, ids)).map((row) => [row.id, row]))
        return ids.map((id) => found.get(id))
      }, READS)
    reading.set(caller, batches)
    return batches
  }
  return {
    ...own,

    /** Finds what a new order may repeat, together with others that are searched for at the same time. */
    findAlike: (search: Search): Promise<Alike[]> => searching.add(search),

    /** Places an order, together with others that are placed at the same time; false where one like it has come first. */
    placeOrder: (added: NewOrder): Promise<boolean> => placing.add(added),

    /** Reads an order, together with others that are read at the same time. */
    readOrder: (caller: Caller, id: string): Promise<ReadyOrder | undefined> => readingOf(caller).add(id),

    /** Calls back whenever this process has committed something to deliver. */
    onQueued(listener: () => void): void {
      listeners.add(listener)
    },

    async transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
      let isQueued = false
      const result = await pool.transaction(
        (db) => work(asNeededOn({ db, keyring, queued: () => (isQueued = true) })),
        options,
      )
      if (isQueued) announce()
      return result
    },

    /** Reads what all tells of the same moment. */
    snapshot: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      pool.transaction((db) => work(asNeededOn({ db, keyring, queued: announce })), {
        mode: 'isolation level repeatable read read only',
      }),

    /** After large changes of the catalog: tells the planner, and merges pending index entries. */
    settle: (): Promise<void> =>
      pool.transaction(
        async (db) => {
          await db.script('analyze clinics, clinic_records, clinic_words')
          await db`select gin_clean_pending_list(indexrelid::regclass) from pg_index
            join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
            where amname = 'gin' and indrelid in ('clinics'::regclass, 'clinic_words'::regclass)`
        },
        { isUnlimited: true },
      ),

    /** Whether the database answers. */
    async ping(): Promise<void> {
      await pool`select 1`
    },
  }
}

/** Each is a lock, and a server has thousands of them for all. */
const MOST_WORDS = 500

/** Those that could be for the same person and purpose go one after the other, all others together. */
function withoutSharedWords(all: NewOrder[]): NewOrder[] {
  const taken = new Set<string>()
  return all.filter(({ searched }, i) => {
    const keys = searched ? searched.search.words.map((word) => `${searched.search.caller.tenantId} ${word}`) : []
    if (i > 0 && taken.size + keys.length > MOST_WORDS) return false
    if (keys.some((key) => taken.has(key))) return false
    for (const key of keys) taken.add(key)
    return true
  })
}
