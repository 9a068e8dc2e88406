import { Menu } from '@mantine/core'
import { IconArrowUp, IconColumns3, IconDownload, IconLink } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import type { ListedOrder } from '../../api/masking.ts'
import { exportOrders, ordersQuery, searchQuery } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { codeOf } from '../../api/order-filters.ts'
import { download } from '../../parts/download.ts'
import { Keys } from '../../parts/Keys.tsx'
import { Bone, Empty, Failure, SlowNotice } from '../../parts/States.tsx'
import { ExportDialog } from '../../shell/ExportDialog.tsx'
import { useHeldRows } from '../../shell/held-rows.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import { leaveControl } from '../../shell/rows.ts'
import { useToasts } from '../../shell/toasts.tsx'
import { TopBar, usePageTitle } from '../../shell/TopBar.tsx'
import { BulkBar } from './BulkBar.tsx'
import { MOST_AT_ONCE, type BulkAction } from './bulk.ts'
import { BulkDialog, type BulkTarget } from './BulkDialog.tsx'
import { DEFAULT_COLUMNS, type ColumnName } from './columns.tsx'
import { csvOf } from './csv.ts'
import { FilterBar } from './FilterBar.tsx'
import { ListEnd } from './ListEnd.tsx'
import { NewOrder } from './NewOrder.tsx'
import { OrderPanel } from './OrderPanel.tsx'
import { OrderTable } from './OrderTable.tsx'
import { useListed } from './listed.ts'
import { filtersOf, type OrdersSearch } from './search.ts'
import { chosen, useSelection } from './selection.ts'
import { ViewTabs } from './ViewTabs.tsx'
import css from './orders.module.css'

const COLUMNS_KEY = 'ots.orders.columns'

export default function OrdersPage() {
  const words = useWords()
  usePageTitle(words.orders.title)
  const [search, change] = useListed()
  const list = useOrders(search)
  const [columns, setColumns] = useColumns()
  const ids = useMemo(() => list.orders.map(idOf), [list.orders])
  const selection = useSelection(list.key, ids)
  const selected = list.orders.filter(({ id }) => selection.rows[id])
  const [isExporting, setExporting] = useState(false)
  const [bulk, setBulk] = useState<{ action: BulkAction; target: BulkTarget }>()
  const toasts = useToasts()
  const exportCsv = (orders: ListedOrder[]) => {
    download('orders.csv', new Blob([csvOf(orders, words)], { type: 'text/csv;charset=utf-8' }))
    toasts.tell(words.orders.exported(orders.length))
  }
  const { order: _, ...shown } = search
  const trail = list.filters && JSON.stringify(shown)
  const rows = useRowKeys({
    list: trail,
    orders: list.orders,
    opened: search.order,
    onOpen: change,
    selection,
    canSelectAll: selected.length > 0 && list.filters !== undefined && (list.total ?? 0) <= MOST_AT_ONCE,
  })
  const exportAll = () => (list.filters ? setExporting(true) : exportCsv(list.orders))
  return (
    <>
      <TopBar title={words.orders.title} detail={list.total?.toLocaleString(words.locale)}>
        <ColumnChooser columns={columns} onChange={setColumns} />
        <Button icon={<IconDownload size={15} />} onClick={exportAll}>
          {words.orders.exportCsv}
        </Button>
        <Button
          icon={<IconLink size={15} />}
          onClick={() =>
            void navigator.clipboard.writeText(location.href).then(() => toasts.tell(words.actions.copied))
          }
        >
          {words.actions.copyLink}
        </Button>
        <NewOrder />
      </TopBar>
      <div className={css.body}>
        <section className={css.list} data-covered={search.order !== undefined}>
          <ViewTabs search={search} />
          <FilterBar search={search} onChange={change} />
          {list.fresh > 0 && (
            <button type="button" className={css.fresh} onClick={list.showFresh}>
              <IconArrowUp size={14} /> {words.today.fresh(list.fresh)}
            </button>
          )}
          {list.error && list.orders.length === 0 ? (
            <Failure error={list.error} onRetry={list.retry} />
          ) : list.isLoading ? (
            <Skeleton />
          ) : list.orders.length === 0 ? (
            <Empty title={words.orders.empty} detail={words.orders.emptyDetail} />
          ) : (
            <OrderTable
              orders={list.orders}
              total={list.total ?? 0}
              chosen={columns}
              at={rows.at}
              onAt={rows.setAt}
              opened={search.order}
              selection={selection.rows}
              onSelection={selection.set}
              onToggle={(id, isRange) => (isRange ? selection.extendTo(id) : selection.toggle(id))}
              onOpen={({ code }) => change({ order: code })}
              onEnd={list.readOn}
              end={<ListEnd error={list.error} onRetry={list.retry} isMore={list.isMore} />}
            />
          )}
          {selected.length > 0 && (
            <BulkBar
              orders={selected}
              all={list.filters && { filters: list.filters, total: list.total ?? 0, isSelected: selection.isAll }}
              onAll={selection.selectAll}
              onClear={selection.clear}
              onExport={exportCsv}
              onExportAll={exportAll}
              onAct={(action, target) => setBulk({ action, target })}
            />
          )}
          <Foot shown={list.orders.length} total={list.total ?? 0} />
        </section>
        {bulk && (
          <BulkDialog
            {...bulk}
            onClose={() => setBulk(undefined)}
            onDone={(refused) => selection.set(chosen(refused.map(idOf)))}
          />
        )}
        {isExporting && list.filters && (
          <ExportDialog
            texts={{ ...words.exporting, exported: words.orders.exported }}
            fileName="orders.csv"
            readPart={exportOrders(list.filters)}
            total={list.total ?? 0}
            onClose={() => setExporting(false)}
          />
        )}
        {search.order !== undefined && (
          <OrderPanel
            key={search.order}
            code={search.order}
            list={trail}
            onClose={() => change({ order: undefined })}
          />
        )}
      </div>
    </>
  )
}

/** The list by its filters, or what a search that is no code finds. */
function useOrders(search: OrdersSearch) {
  const isSearch = search.q !== undefined && codeOf(search.q) === undefined
  const { status, notStatus, company, location, created, updated, specimen, externalId, q } = search
  const filters = useMemo(
    () =>
      filtersOf(
        Object.fromEntries(
          Object.entries({ status, notStatus, company, location, created, updated, specimen, externalId, q }).filter(
            ([, value]) => value !== undefined,
          ),
        ),
      ),
    [status, notStatus, company, location, created, updated, specimen, externalId, q],
  )
  const list = useInfiniteQuery({ ...ordersQuery(filters), enabled: !isSearch })
  const found = useQuery({ ...searchQuery(search.q ?? ''), enabled: isSearch })
  const orders = useMemo(
    () => (isSearch ? (found.data?.found ?? []) : unique(list.data?.pages.flatMap(({ data }) => data) ?? [])),
    [isSearch, found.data, list.data],
  )
  const { hasNextPage, isFetching, fetchNextPage } = list
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  const query = isSearch ? found : list
  const key = isSearch ? `?${q}` : JSON.stringify(filters)
  const { shown, fresh, showFresh } = useHeldRows(orders, { idOf, list: key, isHeld: true })
  return {
    key,
    /** Undefined for a search. */
    filters: isSearch ? undefined : filters,
    orders: shown,
    fresh,
    showFresh,
    total: isSearch ? found.data?.found.length : list.data?.pages.at(-1)?.total,
    /** Whether a search found more than it shows. */
    isMore: isSearch && found.data?.isMore === true,
    isLoading: query.isLoading,
    error: query.error,
    retry: () => void query.refetch(),
    readOn,
  }
}

const idOf = ({ id }: ListedOrder) => id

/** Orders placed meanwhile push others onto the next page, where they appear a second time. */
const unique = (orders: ListedOrder[]) => [...new Map(orders.map((order) => [order.id, order])).values()]

interface RowKeys {
  orders: ListedOrder[]
  opened: string | undefined
  onOpen: (changes: { order: string | undefined }) => void
  selection: ReturnType<typeof useSelection>
  canSelectAll: boolean
  /** The filters of the list, for the page of an order; undefined for a search. */
  list: string | undefined
}

/** J and K move, Enter opens beside the list, O opens the page, X selects, ⇧X selects up to here, Escape closes. */
function useRowKeys({ orders, opened, onOpen, selection, canSelectAll, list }: RowKeys) {
  const navigate = useNavigate()
  const [at, setAt] = useState(() => -1)
  const move = (step: number) => {
    leaveControl()
    const next = Math.max(0, Math.min(orders.length - 1, at + step))
    setAt(next)
    // An open panel follows the row.
    if (opened !== undefined && orders[next]) onOpen({ order: orders[next].code })
  }
  const current = orders[at]
  useShortcut('j', () => move(1))
  useShortcut('k', () => move(-1))
  useShortcut('arrowdown', () => move(1))
  useShortcut('arrowup', () => move(-1))
  useShortcut('enter', () => current && onOpen({ order: current.code }))
  useShortcut('o', () => {
    const code = current?.code ?? opened
    if (code !== undefined)
      void navigate({ to: '/orders/$code', params: { code }, ...(list !== undefined && { state: { list } }) })
  })
  useShortcut('x', () => current && selection.toggle(current.id))
  useShortcut('shift+x', () => current && selection.extendTo(current.id))
  useShortcut('shift+a', selection.selectAll, canSelectAll)
  useShortcut('escape', () => {
    if (opened === undefined) selection.clear()
    else onOpen({ order: undefined })
  })
  return { at, setAt }
}

function useColumns(): [Record<ColumnName, boolean>, (columns: Record<ColumnName, boolean>) => void] {
  const [columns, setColumns] = useState(() => {
    const kept = localStorage.getItem(COLUMNS_KEY)
    return kept === null ? DEFAULT_COLUMNS : { ...DEFAULT_COLUMNS, ...(JSON.parse(kept) as typeof DEFAULT_COLUMNS) }
  })
  const keep = (next: typeof columns) => {
    localStorage.setItem(COLUMNS_KEY, JSON.stringify(next))
    setColumns(next)
  }
  return [columns, keep]
}

function ColumnChooser({
  columns,
  onChange,
}: {
  columns: Record<ColumnName, boolean>
  onChange: (columns: Record<ColumnName, boolean>) => void
}) {
  const words = useWords()
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Button icon={<IconColumns3 size={15} />}>{words.orders.columns}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(DEFAULT_COLUMNS) as ColumnName[])
          .filter((name) => name !== 'code')
          .map((name) => (
            <Menu.CheckboxItem
              key={name}
              checked={columns[name]}
              onChange={(isShown) => onChange({ ...columns, [name]: isShown })}
            >
              {words.orders.fields[name]}
            </Menu.CheckboxItem>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Foot({ shown, total }: { shown: number; total: number }) {
  const words = useWords()
  const { keys } = words.orders
  return (
    <footer className={css.foot}>
      <span>{shown > 0 && words.orders.rows(1, shown, total.toLocaleString(words.locale))}</span>
      <span>
        <Keys keys="j" /> <Keys keys="k" /> {keys.move}
      </span>
      <span>
        <Keys keys="x" /> {keys.select}
      </span>
      <span>
        <Keys keys="shift+x" /> {keys.range}
      </span>
      <span>
        <Keys keys="enter" /> {keys.beside}
      </span>
      <span>
        <Keys keys="o" /> {keys.page}
      </span>
    </footer>
  )
}

function Skeleton() {
  return (
    <div className={css.skeleton}>
      {Array.from({ length: 14 }, (_, index) => (
        <div key={index} className={css.skeletonRow}>
          <Bone width={14} height={14} />
          <Bone width={76} />
          <Bone width={62} />
          <Bone width={`${22 + ((index * 7) % 11)}%`} />
          <Bone width={`${14 + ((index * 5) % 9)}%`} />
          <Bone width={84} />
          <Bone width={70} />
        </div>
      ))}
      <SlowNotice />
    </div>
  )
}
