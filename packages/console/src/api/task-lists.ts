import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Page, Task } from '@order-testing/client/operator'

/** The key of every list of tasks begins with this. */
export const LISTS = ['tasks', 'list']

type TaskList = InfiniteData<Page<Task>>

/**
 * Shows a change before the service has confirmed it; null takes the task off the lists. Returns how the task is shown as
 * before. Other tasks are left alone then: they may have changed meanwhile.
 */
export async function foresee(queries: QueryClient, id: string, change: Partial<Task> | null): Promise<() => void> {
  await queries.cancelQueries({ queryKey: ['tasks'] })
  const places = queries.getQueriesData<TaskList>({ queryKey: LISTS }).flatMap(([key, list]) => placesIn(list, key, id))
  const one = queries.getQueryData<Task>(['tasks', 'one', id])
  const changed = (task: Task) => (task.id !== id ? [task] : change ? [{ ...task, ...change }] : [])
  queries.setQueriesData<TaskList>(
    { queryKey: LISTS },
    (lists) => lists && { ...lists, pages: lists.pages.map((page) => ({ ...page, data: page.data.flatMap(changed) })) },
  )
  if (change) queries.setQueryData<Task>(['tasks', 'one', id], (task) => task && { ...task, ...change })
  return () => {
    for (const { key, ...place } of places)
      queries.setQueryData<TaskList>(key, (list) => list && withTaskAt(list, place))
    if (one) queries.setQueryData(['tasks', 'one', id], one)
  }
}

interface Place {
  page: number
  index: number
  task: Task
}

const placesIn = (list: TaskList | undefined, key: QueryKey, id: string): (Place & { key: QueryKey })[] =>
  (list?.pages ?? []).flatMap(({ data }, page) =>
    data.flatMap((task, index) => (task.id === id ? [{ key, page, index, task }] : [])),
  )

/** The list with the task as it was, where it was. */
function withTaskAt(list: TaskList, { page, index, task }: Place): TaskList {
  const without = list.pages.map((each) => ({ ...each, data: each.data.filter(({ id }) => id !== task.id) }))
  const pages = without.map((each, at) => (at === page ? { ...each, data: each.data.toSpliced(index, 0, task) } : each))
  return { ...list, pages }
}
