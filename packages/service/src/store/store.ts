import type { Caller } from '../domain/caller.ts'
import { Batches } from './batches.ts'
import { catalog } from './catalog.ts'
import { clinics } from './clinics.ts'
import { companies } from './companies.ts'
import type { Db, Pool } from './database.ts'
import { deliveries } from './deliveries.ts'
import { deliveryRecords } from './delivery-records.ts'
import { idempotency } from './idempotency.ts'
import { keyChecks } from './key-checks.ts'
import type { Keyring } from './keyring.ts'
import { locations } from './locations.ts'
import { orderFacts } from './order-facts.ts'
import { orderCounts } from './order-counts.ts'
import type { NewOrder } from './order-insertion.ts'
import { orderList } from './order-list.ts'
import type { ReadyOrder } from './order-rows.ts'
import { orders } from './orders.ts'
import { outbox } from './outbox.ts'
import { packages } from './packages.ts'
import { resealing } from './resealing.ts'
import { services } from './services.ts'
import { tokens } from './tokens.ts'

/** `queued` is called when there is something to deliver, as soon as the transaction commits. */
const on = (db: Db, keyring: Keyring, queued: () => void) => ({
  catalog: catalog(db),
  clinics: clinics(db),
  companies: companies(db),
  deliveries: deliveries(db, keyring),
  deliveryRecords: deliveryRecords(db),
  idempotency: idempotency(db, keyring),
  keyChecks: keyChecks(db, keyring),
  locations: locations(db),
  orderFacts: orderFacts(db),
  orderCounts: orderCounts(db),
  orderList: orderList(db),
  orders: orders(db, keyring),
  outbox: outbox(db, keyring, queued),
  packages: packages(db),
  resealing: resealing(db, keyring),
  services: services(db),
  tokens: tokens(db),
})

/** Everything that can be asked of the database inside one transaction. */
export type Transaction = ReturnType<typeof on>

export type Store = ReturnType<typeof createStore>

/** Few statements with many rows each write more than many statements do, which wait for each other. */
const WRITES = { most: 64, atOnce: 2 }
const READS = { most: 64, atOnce: 4 }

export function createStore(pool: Pool, keyring: Keyring) {
  const listeners = new Set<() => void>()
  const announce = () => {
    for (const listener of listeners) listener()
  }
  const own = on(pool, keyring, announce)
  const placing = new Batches<NewOrder, boolean>(async (added) => {
    const placed = await own.orders.insert(added)
    return added.map(() => placed)
  }, WRITES)
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

    /** Places an order, together with others that are placed at the same time. */
    placeOrder: (added: NewOrder): Promise<boolean> => placing.add(added),

    /** Reads an order, together with others that are read at the same time. */
    readOrder: (caller: Caller, id: string): Promise<ReadyOrder | undefined> => readingOf(caller).add(id),

    /** Calls back whenever this process has committed something to deliver. */
    onQueued(listener: () => void): void {
      listeners.add(listener)
    },

    async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      let isQueued = false
      const result = await pool.begin((db) => work(on(db, keyring, () => (isQueued = true))))
      if (isQueued) announce()
      return result as T
    },

    /** Reads what all tells of the same moment. */
    snapshot: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      pool.begin('isolation level repeatable read read only', (db) => work(on(db, keyring, announce))) as Promise<T>,

    /** After large changes: what the planner believes, pending index entries, and which pages need no second look. */
    async settle(): Promise<void> {
      const connection = await pool.reserve()
      try {
        await connection`set statement_timeout = 0`
        await connection`vacuum (analyze, skip_locked) clinics, clinic_records, clinic_words`
      } finally {
        // A connection that cannot even do this is broken, and is replaced.
        await connection`reset statement_timeout`.catch(() => {})
        connection.release()
      }
    },

    /** Whether the database answers. */
    async ping(): Promise<void> {
      await pool`select 1`
    },
  }
}
