import { partyOf, type Caller } from '../domain/access/caller.ts'
import type { OrderView } from '../domain/orders/view.ts'
import { tokens } from './access/tokens.ts'
import { tokenUses } from './access/token-uses.ts'
import { agreements } from './participants/agreements.ts'
import { audit } from './audit/audit.ts'
import { auditChain } from './audit/chain.ts'
import { auditCheck } from './audit/check.ts'
import { auditPruning } from './audit/pruning.ts'
import { bookings } from './bookings/bookings.ts'
import { brands } from './participants/brands.ts'
import { clinics } from './catalog/clinics.ts'
import { companies } from './catalog/companies.ts'
import { catalog } from './catalog/files.ts'
import { laboratoryCodes } from './catalog/laboratory-codes.ts'
import { locations } from './catalog/locations.ts'
import { packages } from './catalog/packages.ts'
import { services } from './catalog/services.ts'
import { Batches } from './db/batches.ts'
import type { Db } from './db/db.ts'
import type { Pool } from './db/pool.ts'
import type { Replica } from './db/replica.ts'
import type { CommitWith, TransactionOptions } from './db/transaction.ts'
import { Turns } from './db/turns.ts'
import { devices, wrongAnswers } from './participants/identity.ts'
import { deliveries } from './webhooks/deliveries.ts'
import { deliveryContents } from './webhooks/contents.ts'
import { deliveryQueue } from './webhooks/queue.ts'
import { deliveryRecords } from './webhooks/records.ts'
import { deliveryWorkers } from './webhooks/workers.ts'
import { drafts } from './participants/drafts.ts'
import { events } from './orders/events.ts'
import { figures } from './figures/figures.ts'
import { helpRequests } from './participants/help-requests.ts'
import { idempotency } from './orders/idempotency.ts'
import { keyChecks } from './sealing/key-checks.ts'
import { nodes } from './sealing/nodes.ts'
import type { Keyring } from './sealing/keyring.ts'
import { legalHolds } from './retention/legal-holds.ts'
import { links } from './participants/links.ts'
import type { Search } from './matching/searches.ts'
import { mailbox } from './notifications/mailbox.ts'
import { notifications } from './notifications/notifications.ts'
import { sentNotifications } from './notifications/sent.ts'
import { suppressions } from './notifications/suppressions.ts'
import { notificationQuota } from './notifications/quota.ts'
import { orderCounts } from './orders/counts.ts'
import { invariants } from './orders/invariants.ts'
import { orderFacts, referenceCache, type ReferenceCache } from './orders/facts.ts'
import type { NewOrder } from './orders/insertion.ts'
import { orderList } from './orders/list.ts'
import { MOST_PLACED, withoutSharedKeys } from './orders/placement-batches.ts'
import { matchCandidates, type MatchCandidate } from './orders/match-candidates.ts'
import { orders } from './orders/orders.ts'
import { orderRemoval } from './retention/order-removal.ts'
import { orderSearch } from './orders/search.ts'
import { sharePages } from './orders/shared-pages.ts'
import { outbox } from './webhooks/outbox.ts'
import { receiverActivity } from './webhooks/activity.ts'
import { receiverRecords } from './webhooks/receiver-records.ts'
import { receivers } from './webhooks/receivers.ts'
import { refusedMessages } from './results/refused-reports.ts'
import { requests } from './sandbox/requests.ts'
import { resealing } from './resealing.ts'
import { results } from './results/results.ts'
import { retention } from './retention/retention.ts'
import { callbacks } from './webhooks/callbacks.ts'
import { savedViews } from './orders/saved-views.ts'
import { sandboxClock } from './sandbox/clock.ts'
import { simulations } from './sandbox/simulations.ts'
import { pulse } from './tasks/pulse.ts'
import { taskReasons } from './tasks/reasons.ts'
import { tasks } from './tasks/tasks.ts'
import { challenges, invitations, passkeys } from './users/credentials.ts'
import { oidcFlows } from './users/oidc-flows.ts'
import { sessions } from './users/sessions.ts'
import { users } from './users/users.ts'
import { viewTickets } from './participants/view-tickets.ts'
import { wallets } from './participants/wallets.ts'
import { troubles } from './sandbox/troubles.ts'

/** The parts of the store, one per group of tables. */
const PARTS = {
  agreements: ({ db, keyring }: Ground) => agreements(db, keyring),
  audit: ({ db, keyring }: Ground) => audit(db, keyring),
  auditChain: ({ db }: Ground) => auditChain(db),
  auditCheck: ({ db, keyring }: Ground) => auditCheck(db, keyring),
  auditPruning: ({ db, keyring }: Ground) => auditPruning(db, keyring),
  bookings: ({ db, keyring }: Ground) => bookings(db, keyring),
  brands: ({ db }: Ground) => brands(db),
  callbacks: ({ db, keyring }: Ground) => callbacks(db, keyring),
  catalog: ({ db }: Ground) => catalog(db),
  challenges: ({ db }: Ground) => challenges(db),
  clinics: ({ db }: Ground) => clinics(db),
  companies: ({ db }: Ground) => companies(db),
  deliveries: ({ db, keyring }: Ground) => deliveries(db, keyring),
  deliveryContents: ({ db, keyring }: Ground) => deliveryContents(db, keyring),
  deliveryQueue: ({ db }: Ground) => deliveryQueue(db),
  deliveryRecords: ({ db, keyring }: Ground) => deliveryRecords(db, keyring),
  deliveryWorkers: ({ db }: Ground) => deliveryWorkers(db),
  devices: ({ keyring }: Ground) => devices(keyring),
  drafts: ({ keyring }: Ground) => drafts(keyring),
  events: ({ db, keyring }: Ground) => events(db, keyring),
  figures: ({ db, keyring }: Ground) => figures(db, keyring),
  helpRequests: ({ db, keyring }: Ground) => helpRequests(db, keyring),
  idempotency: ({ db, keyring }: Ground) => idempotency(db, keyring),
  invariants: ({ db, keyring }: Ground) => invariants(db, keyring),
  invitations: ({ db }: Ground) => invitations(db),
  keyChecks: ({ db, keyring }: Ground) => keyChecks(db, keyring),
  laboratoryCodes: ({ db }: Ground) => laboratoryCodes(db),
  legalHolds: ({ db }: Ground) => legalHolds(db),
  links: ({ db }: Ground) => links(db),
  locations: ({ db }: Ground) => locations(db),
  mailbox: ({ db, keyring }: Ground) => mailbox(db, keyring),
  matchCandidates: ({ db, keyring }: Ground) => matchCandidates(db, keyring),
  nodes: ({ db, keyring }: Ground) => nodes(db, keyring),
  notificationQuota: ({ db }: Ground) => notificationQuota(db),
  notifications: ({ db, keyring }: Ground) => notifications(db, keyring),
  oidcFlows: ({ keyring }: Ground) => oidcFlows(keyring),
  orderFacts: ({ db, references }: Ground) => orderFacts(db, references),
  orderCounts: ({ db }: Ground) => orderCounts(db),
  orderList: ({ db, keyring }: Ground) => orderList(db, keyring),
  orderRemoval: ({ db }: Ground) => orderRemoval(db),
  orderSearch: ({ db, keyring }: Ground) => orderSearch(db, keyring),
  orders: ({ db, keyring }: Ground) => orders(db, keyring),
  outbox: ({ db, keyring, queued }: Ground) => outbox(db, keyring, queued),
  packages: ({ db }: Ground) => packages(db),
  passkeys: ({ db }: Ground) => passkeys(db),
  pulse: ({ db }: Ground) => pulse(db),
  receiverActivity: ({ db }: Ground) => receiverActivity(db),
  receiverRecords: ({ db }: Ground) => receiverRecords(db),
  receivers: ({ db }: Ground) => receivers(db),
  refusedMessages: ({ db, keyring }: Ground) => refusedMessages(db, keyring),
  requests: ({ db, keyring }: Ground) => requests(db, keyring),
  resealing: ({ db, keyring }: Ground) => resealing(db, keyring),
  retention: ({ db }: Ground) => retention(db),
  results: ({ db, keyring }: Ground) => results(db, keyring),
  sandboxClock: ({ db, queued }: Ground) => sandboxClock(db, queued),
  savedViews: ({ db, keyring }: Ground) => savedViews(db, keyring),
  sentNotifications: ({ db, keyring }: Ground) => sentNotifications(db, keyring),
  services: ({ db }: Ground) => services(db),
  sessions: ({ db, keyring }: Ground) => sessions(db, keyring),
  simulations: ({ db, keyring }: Ground) => simulations(db, keyring),
  suppressions: ({ db, keyring }: Ground) => suppressions(db, keyring),
  taskReasons: ({ db, keyring }: Ground) => taskReasons(db, keyring),
  tasks: ({ db }: Ground) => tasks(db),
  tokenUses: ({ db, keyring }: Ground) => tokenUses(db, keyring),
  tokens: ({ db }: Ground) => tokens(db),
  troubles: ({ db }: Ground) => troubles(db),
  users: ({ db, keyring }: Ground) => users(db, keyring),
  viewTickets: ({ keyring }: Ground) => viewTickets(keyring),
  wallets: ({ db, keyring }: Ground) => wallets(db, keyring),
  wrongAnswers: ({ db }: Ground) => wrongAnswers(db),
}

/** What parts are created from. */
interface Ground {
  /** The pool, or a transaction. */
  db: Db
  keyring: Keyring
  references: ReferenceCache
  /** Called when there is something to deliver once the transaction has committed. */
  queued: () => void
}

/** All parts within one transaction. */
export type Transaction = { [Name in keyof typeof PARTS]: ReturnType<(typeof PARTS)[Name]> }

const createParts = (ground: Ground) =>
  Object.fromEntries(Object.entries(PARTS).map(([name, create]) => [name, create(ground)])) as unknown as Transaction

/** Creates each part when it is first used: a transaction uses two or three of them. */
const createLazyParts = (ground: Ground) =>
  new Proxy<Partial<Record<string, unknown>>>(
    {},
    { get: (parts, name: keyof typeof PARTS) => (parts[name] ??= PARTS[name]?.(ground)) },
  ) as unknown as Transaction

export type Store = ReturnType<typeof storeOn> & {
  /** Gives changes positions, as `publishChanges` does, and returns the store whose cursors find them. */
  published(caller: Caller): Promise<Store>
  /** Only with a replica. */
  replicated?: {
    /** Where the write-ahead log is after everything committed so far. */
    writePosition(): Promise<string>
    /** The store to read a list from. It has everything up to the position that a write returned. */
    forList(position: string | undefined): Promise<Store>
  }
}

/** Few statements with many rows each write more than many statements do, which wait for each other. */
const WRITES = { most: MOST_PLACED, atOnce: 2, pick: withoutSharedKeys }
const READS = { most: 64, atOnce: 4, isGathered: true }
/** A search costs little compared to its statement. */
const SEARCHES = { most: 64, atOnce: 1 }

/** Each compares up to 200 orders, and searches for the same purpose wait for each other. */
const WIDE_SEARCHES = { atOnce: 2, ofOneParty: 1, waiting: 64 }
/** Each has a connection to itself. */
const LISTS = { atOnce: 3, ofOneParty: 2, waiting: 200 }
/** Fewer than the connections for transactions, since orders that share a blocking key wait for each other. */
const SINGLE_PLACEMENTS = { atOnce: 6, ofOneParty: 4, waiting: 256 }

/** Lists are read from the replica, if there is one. */
export function createStore(pool: Pool, keyring: Keyring, replica?: Replica): Store {
  const base = storeOn(pool, keyring)
  const primary: Store = {
    ...base,
    async published(caller) {
      await base.publishChanges(caller)
      return primary
    },
  }
  return replica ? { ...primary, replicated: replicated(primary, replica, keyring) } : primary
}

function replicated(primary: Store, replica: Replica, keyring: Keyring): NonNullable<Store['replicated']> {
  const ground = { keyring, references: referenceCache(), queued: () => {} }
  const parts = createParts({ ...ground, db: replica.db })
  const lists: Store = {
    ...primary,
    ...parts,
    listOrders: sharePages((caller, filter) =>
      primary.listTurns.run(partyOf(caller), () => parts.orderList.page(caller, filter)),
    ),
    // Cursors must not be beyond the last position, which the replica may not know yet.
    orderCounts: primary.orderCounts,
    // Reads of participants are recorded by the primary.
    audit: { ...parts.audit, append: (entries) => primary.audit.append(entries) },
    snapshot: (work) => replica.snapshot((db) => work(createLazyParts({ ...ground, db }))),
    async published(caller) {
      await primary.publishChanges(caller)
      return lists
    },
  }
  const afterWrite: Store = {
    ...lists,
    // The caller's changes may have been given their positions just now, after what it waited for.
    async published(caller) {
      await primary.publishChanges(caller)
      return (await replica.hasEverything()) ? lists : primary
    },
  }
  return {
    writePosition: () => replica.writePosition(),
    async forList(position) {
      if (!(await replica.canServe(position))) return primary
      return position === undefined ? lists : afterWrite
    },
  }
}

function storeOn(pool: Pool, keyring: Keyring) {
  const listeners = new Set<() => void>()
  const announce = () => {
    for (const listener of listeners) listener()
  }
  const references = referenceCache()
  const own = createParts({ db: pool, keyring, references, queued: announce })
  const placing = new Batches<NewOrder, boolean>((added) => own.orders.insert(added), WRITES)
  const listTurns = new Turns(LISTS)
  const searching = new Batches<Search, MatchCandidate[]>((searches) => own.matchCandidates.find(searches), SEARCHES)
  const reading = new WeakMap<Caller, Batches<string, OrderView | undefined>>()
  const readingOf = (caller: Caller) => {
    const batches = reading.get(caller) ?? new Batches((ids: string[]) => own.orders.findViews(caller, ids), READS)
    reading.set(caller, batches)
    return batches
  }
  return {
    ...own,

    /** Limits transactions that place an order after a wide search, by token. */
    wideSearches: new Turns(WIDE_SEARCHES),

    /** Limits other transactions that search for equivalent orders and place one, by token. */
    singlePlacements: new Turns(SINGLE_PLACEMENTS),

    /** Finds the orders that a new one may be equivalent to, in a batch with other searches. */
    findMatchCandidates: (search: Search): Promise<MatchCandidate[]> => searching.add(search),

    /** Places an order, in a batch with others; false if there are new candidates since its search. */
    placeOrder: (added: NewOrder): Promise<boolean> => placing.add(added),

    /** Reads a page of orders, together with all who ask for the same at the same time. */
    listOrders: sharePages((caller, filter) =>
      listTurns.run(partyOf(caller), () => own.orderList.page(caller, filter)),
    ),

    /** Limits other lists of orders, by token. */
    listTurns,

    /** Reads an order, in a batch with others. */
    readOrder: (caller: Caller, id: string): Promise<OrderView | undefined> => readingOf(caller).add(id),

    /** Whether the database refused to store something within the last milliseconds. */
    hasRefusedWrite: (withinMs: number): boolean => pool.hasRefusedWrite(withinMs),

    /** The listener is called whenever this process has committed something to deliver. */
    onQueued(listener: () => void): void {
      listeners.add(listener)
    },

    /** Gives positions to changes that the caller can see and that have none yet, so that cursors find them. */
    async publishChanges({ tenantId, companyIds }: Caller): Promise<void> {
      const isPending = await own.orderCounts.hasChanges(tenantId, companyIds)
      if (isPending) await this.transaction((tx) => tx.orderCounts.fold({ waits: true, tenantId }))
    },

    async transaction<T>(
      work: (tx: Transaction, commitWith: CommitWith) => Promise<T>,
      options?: TransactionOptions,
    ): Promise<T> {
      let isQueued = false
      const result = await pool.transaction(
        (db, commitWith) =>
          work(createLazyParts({ db, keyring, references, queued: () => (isQueued = true) }), commitWith),
        options,
      )
      if (isQueued) announce()
      return result
    },

    /** A read-only transaction whose statements all see the same moment. */
    snapshot: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      pool.transaction((db) => work(createLazyParts({ db, keyring, references, queued: announce })), {
        mode: 'isolation level repeatable read read only',
      }),

    /** After large catalog changes: updates statistics and merges pending index entries. */
    settle: (): Promise<void> =>
      pool.transaction(
        async (db) => {
          // Runs with the rights of the schema's owner, which both need.
          await db`select settle_tables(array['clinics', 'clinic_records', 'clinic_words'])`
        },
        { isUnlimited: true },
      ),

    /** Prepares the audit log for this month and the next ones, and drops months whose entries were all pruned. */
    async keepAuditMonths(now: Date): Promise<void> {
      await pool.transaction(async (db) => void (await db`select keep_audit_months(${now})`))
    },

    /** Analyzes tables that have outgrown their statistics, and returns their names; one process at a time. */
    renewStatistics: (): Promise<string[]> =>
      pool.transaction((db) => db.values`select renew_statistics()`, { isUnlimited: true }),
  }
}
