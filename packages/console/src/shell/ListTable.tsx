import { useEffect, useRef, type ReactNode } from 'react'
import { useWords } from '../languages/words.tsx'
import { Bone, Empty, Failure, SlowNotice } from '../parts/States.tsx'
import { useRows } from './rows.ts'
import css from './list.module.css'

export interface Column<T> {
  label: string
  /** As a track of a CSS grid. */
  width: string
  cell: (row: T) => ReactNode
  isRight?: boolean
  /** Left out where the list is narrow, or already where it is not wide. */
  isExtra?: boolean | 'wide'
}

interface Query<T> {
  data: { pages: { data: T[]; total: number }[] } | undefined
  error: unknown
  isLoading: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
  refetch: () => unknown
}

interface Props<T> {
  label: string
  query: Query<T>
  columns: Column<T>[]
  idOf: (row: T) => string
  opened: string | undefined
  onOpen: (id: string | undefined) => void
  empty: { title: string; detail: string }
}

/** A list that is read page by page, with what is chosen open beside it. */
export function ListTable<T>({ label, query, columns, idOf, opened, onOpen, empty }: Props<T>) {
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? []
  const { at, setAt } = useRows({ rows, opened, idOf, onOpen })
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (at >= 0 && (document.activeElement === document.body || document.activeElement?.closest('[role=row]')))
      body.current?.querySelector<HTMLElement>(`[data-index="${at}"]`)?.focus()
    // When the panel closes, the focus returns to the row.
  }, [at, opened])
  if (query.error && rows.length === 0) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (!query.isLoading && rows.length === 0) return <Empty {...empty} />
  const style = {
    '--tracks': tracksOf(columns),
    '--some-tracks': tracksOf(columns.filter(({ isExtra }) => isExtra !== 'wide')),
    '--few-tracks': tracksOf(columns.filter(({ isExtra }) => !isExtra)),
  } as React.CSSProperties
  return (
    <div role="grid" aria-label={label} className={css.table} style={style}>
      <div role="row" className={css.head}>
        {columns.map((column) => (
          <span key={column.label} role="columnheader" data-right={column.isRight} data-extra={column.isExtra}>
            {column.label}
          </span>
        ))}
      </div>
      <div className={css.body} ref={body} role="rowgroup">
        {query.isLoading && <Bones columns={columns.length} />}
        {rows.map((row, index) => (
          <div
            key={idOf(row)}
            role="row"
            tabIndex={index === Math.max(0, at) ? 0 : -1}
            data-index={index}
            data-at={index === at}
            aria-selected={idOf(row) === opened}
            className={css.row}
            onFocus={() => setAt(index)}
            onClick={() => onOpen(idOf(row))}
          >
            {columns.map((column) => (
              <span key={column.label} role="gridcell" data-right={column.isRight} data-extra={column.isExtra}>
                {column.cell(row)}
              </span>
            ))}
          </div>
        ))}
        {query.hasNextPage && <ReadOn isBusy={query.isFetchingNextPage} onSeen={() => void query.fetchNextPage()} />}
      </div>
    </div>
  )
}

const tracksOf = (columns: { width: string }[]) => columns.map(({ width }) => width).join(' ')

const Bones = ({ columns }: { columns: number }) => (
  <div role="presentation">
    {Array.from({ length: 12 }, (_, index) => (
      <div key={index} className={css.row} role="presentation">
        {Array.from({ length: columns }, (_each, at) => (
          <span key={at}>
            <Bone width={`${50 + ((index * 7 + at * 13) % 40)}%`} />
          </span>
        ))}
      </div>
    ))}
    <SlowNotice />
  </div>
)

/** Reads the next page when the end comes into view. */
export function ReadOn({ isBusy, onSeen }: { isBusy: boolean; onSeen: () => void }) {
  const words = useWords()
  const end = useRef<HTMLDivElement>(null)
  const seen = useRef(onSeen)
  useEffect(() => {
    seen.current = onSeen
  })
  useEffect(() => {
    if (isBusy) return undefined
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && seen.current(), {
      rootMargin: '300px',
    })
    observer.observe(end.current!)
    return () => observer.disconnect()
  }, [isBusy])
  return (
    <div ref={end} className={css.readOn}>
      {words.states.loading}
    </div>
  )
}

/** What is open beside the list. */
export function SidePanel({
  label,
  head,
  foot,
  children,
}: {
  label: string
  head: ReactNode
  foot?: ReactNode
  children: ReactNode
}) {
  return (
    <aside className={css.panel} aria-label={label}>
      <header className={css.panelHead}>{head}</header>
      <div className={css.panelBody}>{children}</div>
      {foot !== undefined && <footer className={css.panelFoot}>{foot}</footer>}
    </aside>
  )
}
