import type { Collection } from '@order-testing/contract'
import { notFound } from '../../domain/refusal.ts'
import type { Page } from '../../store/db/page.ts'
import type { Store } from '../../store/store.ts'
import { collectionOf, ok, type Answer, type Context } from '../operation.ts'

/** The parts of the store that list and find what a caller can see. */
type Part = 'clinics' | 'companies' | 'locations' | 'packages' | 'services'
type Query<P extends Part> = Parameters<Store[P]['pageVisible']>[1]
type Row<P extends Part> = Awaited<ReturnType<Store[P]['pageVisible']>>['rows'][number]

/** Makes the operation that lists the rows visible to the caller. */
export const listVisible =
  <P extends Part, T>(part: P, present: (row: Row<P>) => T) =>
  async ({ query }: { query: Query<P> }, { caller, store }: Context): Promise<Answer<Collection<T>>> =>
    ok(collectionOf((await store[part].pageVisible(caller, query as never)) as Page<Row<P>>, query, present))

/** Makes the operation that reads one row; one that is not visible to the caller is not found. */
export const readVisible =
  <P extends Part, T>(part: P, present: (row: Row<P>) => T) =>
  async ({ params }: { params: { id: string } }, { caller, store }: Context): Promise<Answer<T>> => {
    const row = (await store[part].findVisible(caller, params.id)) as Row<P> | undefined
    if (!row) throw notFound()
    return ok(present(row))
  }
