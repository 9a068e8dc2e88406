import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { ordersQuery } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { IconButton } from '../../parts/Button.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { filtersOf, type OrdersSearch } from '../orders/search.ts'
import css from './order.module.css'

/** Leads to the previous and next order of the list that this one was opened from. J and K do the same. */
export function Neighbors({ code }: { code: string }) {
  const list = useLocation({ select: ({ state }) => state.list })
  return list === undefined ? null : <NeighborsIn list={list} code={code} />
}

function NeighborsIn({ list, code }: { list: string; code: string }) {
  const words = useWords()
  const navigate = useNavigate()
  const filters = useMemo(() => filtersOf(JSON.parse(list) as OrdersSearch), [list])
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    ...ordersQuery(filters),
    // The order of the list must not change while somebody goes through it.
    refetchOnMount: false,
    refetchOnWindowFocus: false,
  })
  const codes = useMemo(() => [...new Set(data?.pages.flatMap((page) => page.data.map((each) => each.code)))], [data])
  const at = codes.indexOf(code)
  const isNearEnd = at >= 0 && at >= codes.length - 3
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetching) void fetchNextPage()
  }, [isNearEnd, hasNextPage, isFetching, fetchNextPage])
  const go = (to: string | undefined) => {
    if (to !== undefined) void navigate({ to: '/orders/$code', params: { code: to }, state: { list }, replace: true })
  }
  const [previous, next] = at < 0 ? [] : [codes[at - 1], codes[at + 1]]
  useShortcut('j', () => go(next), next !== undefined)
  useShortcut('k', () => go(previous), previous !== undefined)
  const total = data?.pages.at(-1)?.total
  if (at < 0 || total === undefined) return null
  return (
    <nav className={css.neighbors} aria-label={words.orderMore.neighbors}>
      <IconButton label={words.orderMore.previous} disabled={previous === undefined} onClick={() => go(previous)}>
        <IconChevronUp size={16} />
      </IconButton>
      <IconButton label={words.orderMore.next} disabled={next === undefined} onClick={() => go(next)}>
        <IconChevronDown size={16} />
      </IconButton>
      <span>{words.orderMore.position((at + 1).toLocaleString(words.locale), total.toLocaleString(words.locale))}</span>
    </nav>
  )
}
