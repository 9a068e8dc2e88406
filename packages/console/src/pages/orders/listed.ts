import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import { joinWords, splitWords, type OrdersSearch } from './search.ts'

type Changes = Partial<Record<keyof OrdersSearch, string | undefined>>

/** What is listed, and how to list something else. The words of a search are in the history of the tab, not in the address. */
export function useListed(): [OrdersSearch, (changes: Changes) => void] {
  const address = useSearch({ from: '/signedIn/orders' })
  const words = useLocation({ select: ({ state }) => state.words })
  const navigate = useNavigate({ from: '/orders' })
  const listed = useMemo(() => joinWords(address, words), [address, words])
  const show = useCallback(
    (next: OrdersSearch, replace: boolean) => {
      const split = splitWords(next)
      const state = split.words === undefined ? {} : { words: split.words }
      void navigate({ search: split.address, state, replace })
    },
    [navigate],
  )
  const change = useCallback(
    (changes: Changes) => show({ ...listed, ...changes } as OrdersSearch, 'order' in changes),
    [show, listed],
  )
  useEffect(() => {
    // A link made elsewhere may still have words in it.
    const written = new URLSearchParams(window.location.search).get('q')
    if (written !== null && written !== '' && splitWords({ q: written }).words !== undefined)
      show({ ...address, q: written }, true)
  }, [address, show])
  return [listed, change]
}
