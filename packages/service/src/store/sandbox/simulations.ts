import type { Simulation } from '@order-testing/contract'
import type { Db } from '../db/db.ts'
import type { Keyring } from '../sealing/keyring.ts'

export interface SimulationRow {
  tenantId: string
  orderId: string
  id: string
  /** The token that asked for it, or that placed the order. */
  tokenId: string
  simulation: Simulation
}

/** How long a worker has for a step; after that another one makes it. */
const LEASE_SECONDS = 30

export const simulationContext = ({ tenantId, orderId }: { tenantId: string; orderId: string }) =>
  `simulation ${tenantId} ${orderId}`

/** Simulations under way, at most one per order. */
export const simulations = (db: Db, keyring: Keyring) => ({
  /** Continues the simulation after a wait, in place of any other of the order. */
  async put({ simulation, ...row }: SimulationRow, waitSeconds: number): Promise<void> {
    const content = keyring.seal(JSON.stringify(simulation), simulationContext(row))
    await db`
      insert into sandbox_simulations (tenant_id, order_id, id, token_id, content, due_at)
      values (${row.tenantId}, ${row.orderId}, ${row.id}, ${row.tokenId}, ${content}, now() + ${waitSeconds}::float8 * interval '1 second')
      on conflict (tenant_id, order_id) do update
        set id = excluded.id, token_id = excluded.token_id, content = excluded.content, due_at = excluded.due_at`
  },

  /** Leases simulations whose next step is due, skipping those that other workers are leasing. */
  async claimDue(most: number): Promise<SimulationRow[]> {
    const rows = await db<(Omit<SimulationRow, 'simulation'> & { content: Buffer })[]>`
      update sandbox_simulations set due_at = now() + ${LEASE_SECONDS}::float8 * interval '1 second'
      where (tenant_id, order_id) in (
        select tenant_id, order_id from sandbox_simulations where due_at <= now() order by due_at limit ${most}
        for update skip locked)
      returning tenant_id, order_id, id, token_id, content`
    return rows.map(({ content, ...row }) => ({
      ...row,
      simulation: JSON.parse(keyring.open(content, simulationContext(row))) as Simulation,
    }))
  },

  /** Sets the time of the next step, unless another simulation has taken its place. */
  async wait({ tenantId, orderId, id }: Omit<SimulationRow, 'simulation'>, seconds: number): Promise<void> {
    await db`
      update sandbox_simulations set due_at = now() + ${seconds}::float8 * interval '1 second'
      where tenant_id = ${tenantId} and order_id = ${orderId} and id = ${id}`
  },

  /** Ends a simulation, or whichever one the order has if no id is given. */
  async end({
    tenantId,
    orderId,
    id = null,
  }: {
    tenantId: string
    orderId: string
    id?: string | null
  }): Promise<void> {
    await db`
      delete from sandbox_simulations
      where tenant_id = ${tenantId} and order_id = ${orderId} and (${id}::text is null or id = ${id})`
  },
})
