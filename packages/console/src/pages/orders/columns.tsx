import { columnVisibilityFeature, createColumnHelper, rowSelectionFeature, tableFeatures } from '@tanstack/react-table'
import { createContext, useContext } from 'react'
import type { ListedOrder } from '../../api/masking.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { isClosed, lookOf } from '../../parts/statuses.ts'
import { Tag } from '../../parts/Tag.tsx'
import { Time } from '../../parts/Time.tsx'
import * as times from '../../parts/times.ts'
import css from './orders.module.css'

/** Whether the row has the focus: Tab reaches its times, and not those of all rows. */
export const CurrentRow = createContext(false)

export const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature })
const helper = createColumnHelper<typeof features, ListedOrder>()

export type ColumnName = keyof Words['orders']['fields']

/** The least width of each column, and what goes first where there is no room: the highest number. */
export const LAYOUT: Record<ColumnName, { width: number; grow?: number; drop: number }> = {
  code: { width: 92, drop: 0 },
  participant: { width: 88, drop: 2 },
  company: { width: 190, grow: 1.4, drop: 3 },
  package: { width: 170, grow: 1.2, drop: 6 },
  status: { width: 138, drop: 1 },
  waitingOn: { width: 88, drop: 5 },
  inStage: { width: 76, drop: 4 },
  booking: { width: 150, grow: 0.8, drop: 8 },
  expires: { width: 104, drop: 7 },
  created: { width: 134, drop: 9 },
  externalId: { width: 104, drop: 10 },
}

export const DEFAULT_COLUMNS: Record<ColumnName, boolean> = {
  code: true,
  participant: true,
  company: true,
  package: true,
  status: true,
  waitingOn: true,
  inStage: true,
  booking: true,
  expires: true,
  created: false,
  externalId: false,
}

export const columns = helper.columns([
  helper.display({ id: 'code', cell: ({ row }) => <code className={css.code}>{row.original.code}</code> }),
  helper.display({ id: 'participant', cell: ({ row }) => row.original.participant?.name ?? '—' }),
  helper.display({ id: 'company', cell: ({ row }) => <Place order={row.original} /> }),
  helper.display({ id: 'package', cell: ({ row }) => <Package order={row.original} /> }),
  helper.display({ id: 'status', cell: ({ row }) => <StatusMark status={row.original.status} /> }),
  helper.display({ id: 'waitingOn', cell: ({ row }) => <WaitingOn order={row.original} /> }),
  helper.display({ id: 'inStage', cell: ({ row }) => <InStage order={row.original} /> }),
  helper.display({ id: 'booking', cell: ({ row }) => <Booked order={row.original} /> }),
  helper.display({ id: 'expires', cell: ({ row }) => <Expiry order={row.original} /> }),
  helper.display({ id: 'created', cell: ({ row }) => <OrderTime order={row.original} at={row.original.createdAt} /> }),
  helper.display({ id: 'externalId', cell: ({ row }) => <code>{row.original.externalId ?? '—'}</code> }),
])

const Nothing = () => <span className={css.nothing}>—</span>

export const Place = ({ order: { company, location } }: { order: ListedOrder }) => (
  <>
    {company?.name} <span className={css.place}>· {location?.name}</span>
  </>
)

function Package({ order: { packages, agency } }: { order: ListedOrder }) {
  return (
    <span className={css.package}>
      <span>{packages.map(({ name }) => name).join(', ')}</span>
      {agency && <Tag isOutlined>{agency.code}</Tag>}
    </span>
  )
}

/** The service that has waited longest decides whom the order waits for. */
export function stageOf(order: ListedOrder): { status: string; since: string } {
  const open = order.services.filter(({ status }) => !isClosed(status))
  const [slowest] = open.toSorted((a, b) => (a.statusUpdatedAt < b.statusUpdatedAt ? -1 : 1))
  return slowest && !isClosed(order.status)
    ? { status: slowest.status, since: slowest.statusUpdatedAt }
    : { status: order.status, since: order.statusUpdatedAt }
}

function WaitingOn({ order }: { order: ListedOrder }) {
  const words = useWords()
  return <span className={css.quiet}>{words.actors[lookOf(stageOf(order).status).actor]}</span>
}

function InStage({ order }: { order: ListedOrder }) {
  const words = useWords()
  if (isClosed(order.status)) return <Nothing />
  return times.duration(words, Date.now() - Date.parse(stageOf(order).since))
}

const DAY = 24 * 3_600_000

function Expiry({ order }: { order: ListedOrder }) {
  const { expiresAt, status } = order
  if (expiresAt === null || isClosed(status)) return <Nothing />
  const isSoon = Date.parse(expiresAt) - Date.now() < DAY
  return (
    <span className={isSoon ? css.soon : css.quiet}>
      <OrderTime order={order} at={expiresAt} as={isSoon ? 'inZone' : 'day'} />
    </span>
  )
}

function Booked({ order }: { order: ListedOrder }) {
  const { clinic, appointmentAt } = order
  if (!clinic) return <Nothing />
  return (
    <span className={css.quiet} title={clinic.name}>
      {appointmentAt ? <OrderTime order={order} at={appointmentAt} as="inZone" /> : clinic.name}
    </span>
  )
}

/** A time as clocks show it where the order takes place. */
function OrderTime({
  order,
  at,
  as,
}: {
  order: ListedOrder
  at: string
  as?: React.ComponentProps<typeof Time>['as']
}) {
  return <Time at={at} zone={order.timezone} isReachable={useContext(CurrentRow)} {...(as && { as })} />
}
