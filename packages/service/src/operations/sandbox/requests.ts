import type * as contract from '@order-testing/contract'
import type { RequestRow } from '../../store/sandbox/requests.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'

export const listRequests: Operation<typeof contract.listRequests> = async ({ query }, { caller, store }) =>
  ok(collectionOf(await store.requests.page(caller, query), query, presentRequest))

const presentRequest = ({ id, at, content }: RequestRow): contract.SandboxRequest => ({
  id,
  object: 'request',
  at: at.toISOString(),
  ...content,
})
