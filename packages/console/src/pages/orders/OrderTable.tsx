import { useElementSize } from '@mantine/hooks'
import { useTable, type RowSelectionState } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import type { ListedOrder } from '../../api/masking.ts'
import { useWords } from '../../languages/words.tsx'
import { Check } from '../../parts/Field.tsx'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { columns, CurrentRow, features, LAYOUT, Place, type ColumnName } from './columns.tsx'
import css from './orders.module.css'

interface Props {
  orders: ListedOrder[]
  total: number
  chosen: Record<ColumnName, boolean>
  /** The row that J and K move. */
  at: number
  onAt: (at: number) => void
  opened: string | undefined
  selection: RowSelectionState
  onSelection: (selection: RowSelectionState) => void
  /** With Shift, all rows from the one that was chosen last. */
  onToggle: (id: string, isRange: boolean) => void
  onOpen: (order: ListedOrder) => void
  onEnd: () => void
  end: ReactNode
}

const ROW = 37
const CARD = 62
/** Below this, a row is a card. */
const NARROW = 520
const CHECK_WIDTH = 38
const PADDING = 40
const GAP = 12

/** Only the rows in view exist, however many orders there are. */
export function OrderTable(props: Props) {
  const { orders, total, at, onAt, opened, selection, onSelection, onToggle, onOpen, onEnd, end } = props
  const words = useWords()
  const { ref: sizeRef, width } = useElementSize()
  const scroller = useRef<HTMLDivElement>(null)
  const isNarrow = width > 0 && width < NARROW
  const visible = useMemo(() => fitting(props.chosen, width), [props.chosen, width])
  const table = useTable({
    features,
    columns,
    data: orders,
    state: { columnVisibility: visible, rowSelection: selection },
    onRowSelectionChange: (next) => onSelection(typeof next === 'function' ? next(selection) : next),
    getRowId: ({ id }) => id,
  })
  const { rows } = table.getRowModel()
  const height = isNarrow ? CARD : ROW
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
  })
  useEffect(() => virtual.measure(), [height, virtual])
  useFollow(at, virtual.scrollToIndex, scroller)
  const items = virtual.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastShown >= rows.length - 20 && rows.length < total) onEnd()
  }, [lastShown, rows.length, total, onEnd])
  const template = [`${CHECK_WIDTH}px`, ...columnsShown(visible).map(trackOf)].join(' ')
  return (
    <div
      className={css.table}
      role="grid"
      aria-label={words.orders.title}
      aria-rowcount={total}
      aria-multiselectable="true"
      ref={sizeRef}
    >
      {!isNarrow && (
        <div role="row" className={css.head} style={{ gridTemplateColumns: template }}>
          <span role="columnheader">
            <Check
              aria-label={words.orders.selectAll}
              checked={rows.length > 0 && table.getIsAllRowsSelected()}
              ref={(box) => {
                if (box) box.indeterminate = table.getIsSomeRowsSelected()
              }}
              onChange={table.getToggleAllRowsSelectedHandler()}
            />
          </span>
          {columnsShown(visible).map((name) => (
            <span key={name} role="columnheader" data-column={name}>
              {words.orders.fields[name]}
            </span>
          ))}
        </div>
      )}
      <div className={css.scroller} ref={scroller} role="rowgroup">
        <div role="presentation" className={css.canvas} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = rows[index]!
            const order = row.original
            return (
              <div
                key={row.id}
                role="row"
                tabIndex={index === at ? 0 : -1}
                aria-rowindex={index + 1}
                aria-selected={row.getIsSelected()}
                data-index={index}
                data-open={order.code === opened}
                data-at={index === at}
                className={isNarrow ? css.cardRow : css.row}
                style={{
                  height,
                  transform: `translateY(${start}px)`,
                  ...(!isNarrow && { gridTemplateColumns: template }),
                }}
                onFocus={() => onAt(index)}
                onClick={() => onOpen(order)}
              >
                {isNarrow ? (
                  <Card order={order} />
                ) : (
                  <CurrentRow value={index === at}>
                    <span role="gridcell" onClick={(event) => event.stopPropagation()}>
                      <Check
                        aria-label={words.orders.selectRow(order.code)}
                        tabIndex={-1}
                        checked={row.getIsSelected()}
                        onChange={(event) => onToggle(row.id, (event.nativeEvent as MouseEvent).shiftKey)}
                      />
                    </span>
                    {row.getVisibleCells().map((cell) => (
                      <span key={cell.id} role="gridcell" data-column={cell.column.id} className={css.cell}>
                        <table.FlexRender cell={cell} />
                      </span>
                    ))}
                  </CurrentRow>
                )}
              </div>
            )
          })}
        </div>
        {end}
      </div>
    </div>
  )
}

function Card({ order }: { order: ListedOrder }) {
  return (
    <span role="gridcell" className={css.card}>
      <span className={css.cardLine}>
        <code className={css.code}>{order.code}</code> {order.participant?.name}
        <StatusMark status={order.status} />
      </span>
      <span className={css.cardPlace}>
        <Place order={order} />
      </span>
    </span>
  )
}

const columnsShown = (visible: Record<ColumnName, boolean>) =>
  (Object.keys(LAYOUT) as ColumnName[]).filter((name) => visible[name])

const trackOf = (name: ColumnName) => {
  const { width, grow } = LAYOUT[name]
  return grow === undefined ? `${width}px` : `minmax(${width}px, ${grow}fr)`
}

/** The chosen columns that have room. What matters least goes first; the code always stays. */
function fitting(chosen: Record<ColumnName, boolean>, width: number): Record<ColumnName, boolean> {
  if (width === 0) return chosen
  const visible = { ...chosen }
  const leastFirst = columnsShown(chosen).toSorted((a, b) => LAYOUT[b].drop - LAYOUT[a].drop)
  for (const name of leastFirst.filter((each) => each !== 'code')) {
    const needed = columnsShown(visible).reduce((sum, each) => sum + LAYOUT[each].width + GAP, CHECK_WIDTH + PADDING)
    if (needed <= width) break
    visible[name] = false
  }
  return visible
}

/** Scrolls to the row, and moves the focus if it was on another row. */
function useFollow(at: number, scrollTo: (index: number) => void, scroller: React.RefObject<HTMLDivElement | null>) {
  useEffect(() => {
    if (at < 0) return
    scrollTo(at)
    const focused = document.activeElement
    const isFree = focused === document.body || focused?.closest('[role=row]')
    if (isFree)
      requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${at}"]`)?.focus())
  }, [at, scrollTo, scroller])
}
