import type * as contract from '@order-testing/contract'
import type { ServiceRow } from '../../store/catalog/services.ts'
import type { Operation } from '../operation.ts'
import { serviceReference } from '../../domain/catalog/references.ts'
import { listVisible, readVisible } from './visible.ts'

export const listServices: Operation<typeof contract.listServices> = listVisible('services', presentService)
export const readService: Operation<typeof contract.readService> = readVisible('services', presentService)

function presentService(service: ServiceRow): contract.Service {
  return {
    ...serviceReference(service),
    attributes: { category: service.category, type: service.type },
    isDot: service.isDot,
  }
}
