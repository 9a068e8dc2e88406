import { dueAt } from '../domain/order-life.ts'
import type { Order } from '../domain/orders.ts'
import type { Db, Fragment } from './database.ts'
import type { Keyring } from './keyring.ts'
import { arrayText, columnsOf, texts } from './lists.ts'
import { matchKeysOf, sealIdentifiers, specimensOf, toContent, type Presented } from './order-rows.ts'

/** An order as it is to be from now on. */
export interface ChangedOrder {
  tenantId: string
  order: Order
  presented: Presented
  words: string[]
}

/** One statement for any number of orders, which must be locked: their counts follow from what they were before. */
export function update(db: Db, keyring: Keyring, changed: ChangedOrder[]): Fragment {
  const column = columnsOf(changed)
  return db`
    with given as (
      select tenant_id, id, status, updated_at::timestamptz, expires_at::timestamptz, due_at::timestamptz,
        specimen_ids::text[], head, participant, decode(identifiers, 'hex') as identifiers, content::jsonb,
        match_keys::bigint[]
      from unnest(
        ${column(({ tenantId }) => tenantId)}::text[],
        ${column(({ order }) => order.id)}::text[],
        ${column(({ order }) => order.status)}::text[],
        ${column(({ order }) => order.updatedAt)}::text[],
        ${column(({ order }) => order.expiresAt)}::text[],
        ${column(({ order }) => dueAt(order))}::text[],
        ${column(({ order }) => arrayText(specimensOf(order)))}::text[],
        ${texts(
          db,
          changed.map(({ presented }) => presented.head),
        )},
        ${texts(
          db,
          changed.map(({ presented }) => presented.participant),
        )},
        ${column(({ tenantId, order }) => sealIdentifiers(keyring, tenantId, order))}::text[],
        ${texts(
          db,
          changed.map(({ order }) => toContent(order)),
        )},
        ${column(({ tenantId, words }) => arrayText(matchKeysOf(keyring, tenantId, words)))}::text[]
      ) as given (tenant_id, id, status, updated_at, expires_at, due_at, specimen_ids, head, participant, identifiers,
        content, match_keys)),
    before as (
      select o.tenant_id, o.company_id, o.location_id, o.id, o.status, o.updated_at
      from orders o join given g on o.tenant_id = g.tenant_id and o.id = g.id),
    changed as (
      update orders o set status = g.status, updated_at = g.updated_at, expires_at = g.expires_at, due_at = g.due_at,
        specimen_ids = g.specimen_ids, head = g.head, participant = g.participant, identifiers = g.identifiers,
        content = g.content, match_keys = g.match_keys
      from given g where o.tenant_id = g.tenant_id and o.id = g.id)
    insert into order_changes (tenant_id, company_id, location_id, order_id, old_status, new_status, old_updated_at, new_updated_at)
    select b.tenant_id, b.company_id, b.location_id, b.id, b.status, g.status, b.updated_at, g.updated_at
    from before b join given g on b.tenant_id = g.tenant_id and b.id = g.id
    where (b.status, b.updated_at) is distinct from (g.status, g.updated_at)`
}
