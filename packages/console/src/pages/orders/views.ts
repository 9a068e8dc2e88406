import { useSyncExternalStore } from 'react'
import type { OrdersSearch } from './search.ts'

/** A named set of filters, kept in this browser. */
export interface View {
  name: string
  search: Omit<OrdersSearch, 'order'>
}

const KEY = 'ots.orders.views'
const listeners = new Set<() => void>()
let saved: readonly View[] = read()

export const useViews = (): readonly View[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => saved,
  )

export const saveView = (view: View) => keep([...saved.filter(({ name }) => name !== view.name), view])
export const removeView = (name: string) => keep(saved.filter((view) => view.name !== name))

export const isSameView = (a: OrdersSearch, b: OrdersSearch) => keyOf(a) === keyOf(b)

function keyOf({ order: _, ...search }: OrdersSearch): string {
  return JSON.stringify(Object.entries(search).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function keep(views: readonly View[]): void {
  saved = views
  localStorage.setItem(KEY, JSON.stringify(views))
  for (const listener of listeners) listener()
}

function read(): readonly View[] {
  try {
    const views: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(views) ? (views as View[]) : []
  } catch {
    return []
  }
}
