import type * as contract from '@order-testing/contract'
import { notFound } from '../../domain/refusal.ts'
import type { ServiceRow } from '../../store/catalog/services.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'
import { serviceReference } from '../../domain/catalog/references.ts'

export const listServices: Operation<typeof contract.listServices> = async ({ query }, { caller, store }) =>
  ok(collectionOf(await store.services.pageVisible(caller, query), query, presentService))

export const readService: Operation<typeof contract.readService> = async ({ params }, { caller, store }) => {
  const service = await store.services.findVisible(caller, params.id)
  if (!service) throw notFound()
  return ok(presentService(service))
}

const presentService = (service: ServiceRow): contract.Service => ({
  ...serviceReference(service),
  attributes: { category: service.category, type: service.type },
  isDot: service.isDot,
})
