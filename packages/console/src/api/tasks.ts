import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ListTasksQuery, Task } from '@order-testing/client/operator'
import { api, backgroundApi } from './client.ts'
import { LISTS } from './task-lists.ts'

export type { Task }
export type TaskState = 'open' | 'mine' | 'snoozed' | 'done'
export type TaskReason = NonNullable<ListTasksQuery['reason']>

export const tasksQuery = (state: TaskState, reason: TaskReason | undefined) =>
  infiniteQueryOptions({
    queryKey: [...LISTS, state, reason ?? ''],
    queryFn: ({ pageParam, signal }) =>
      backgroundApi.call(
        'listTasks',
        { query: { state, ...(reason && { reason }), limit: 20, page: pageParam } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
    refetchInterval: 60_000,
  })

export const taskCountsQuery = queryOptions({
  queryKey: ['tasks', 'counts'],
  queryFn: ({ signal }) => backgroundApi.call('countTasks', {}, { signal }),
})

/** The task of a link, which may be in another list. */
export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: ['tasks', 'one', id],
    queryFn: ({ signal }) => backgroundApi.call('readTask', { params: { id } }, { signal }),
  })

export const claimTask = (id: string, takeOver: boolean) =>
  api.call('claimTask', { params: { id }, body: { takeOver } })
export const releaseTask = (id: string) => api.call('releaseTask', { params: { id } })
export const snoozeTask = (id: string, until: string | null) =>
  api.call('snoozeTask', { params: { id }, body: { until } })
export const finishTask = (id: string) => api.call('finishTask', { params: { id } })
export const reopenTask = (id: string) => api.call('reopenTask', { params: { id } })
