import { queryOptions } from '@tanstack/react-query'
import type { NewSavedView, SavedView, SavedViewChange } from '@order-testing/client/operator'
import { api } from './client.ts'

/** The views of the person who is signed in, in their order, then those that others share. */
export const savedViewsQuery = queryOptions({
  queryKey: ['savedViews'],
  queryFn: async ({ signal }) => {
    const views: SavedView[] = []
    for (let page = 1; ; page += 1) {
      const { data, total } = await api.call('listSavedViews', { query: { page } }, { signal })
      views.push(...data)
      if (data.length === 0 || views.length >= total) return views
    }
  },
  staleTime: 60_000,
})

export const saveView = (body: NewSavedView) => api.call('createSavedView', { body })
export const changeView = (id: string, body: SavedViewChange) => api.call('updateSavedView', { params: { id }, body })
export const deleteView = (id: string) => api.call('deleteSavedView', { params: { id } })
