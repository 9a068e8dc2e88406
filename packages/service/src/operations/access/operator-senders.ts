import type { Sender } from '@order-testing/contract'
import type * as contract from '@order-testing/contract/operator'
import { notFound, orNotFound } from '../../domain/refusal.ts'
import { fold } from '../../domain/text.ts'
import type { TokenRow } from '../../store/access/tokens.ts'
import type { LaboratoryCode } from '../../store/catalog/laboratory-codes.ts'
import { recordAsCaller } from '../audit/audit.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'
import { changeToken } from './token-changes.ts'
import { tokenState } from './tokens.ts'

/** Tokens and their senders are few, so they are read together and paged here. */
export const listSenders: Operation<typeof contract.listSenders> = async ({ query }, { caller, store, now }) => {
  const tokens = await store.tokens.list(caller.tenantId)
  const codes = await store.laboratoryCodes.list(caller.tenantId)
  const all = tokens
    .filter(({ id }) => query.tokenId === undefined || id === query.tokenId)
    .flatMap((token) => (token.senders ?? []).map((sender) => ({ token, sender })))
    .filter(({ sender }) => query.role === undefined || sender.role === query.role)
  const from = (query.page - 1) * query.limit
  const rows = all.slice(from, from + query.limit)
  return ok(collectionOf({ rows, total: all.length }, query, (row) => presentSender(row, codes, now())))
}

export const editSender: Operation<typeof contract.editSender> = async ({ params, body }, context) => {
  const { caller, store, now } = context
  const { id, role, reason, ...changes } = body
  const isMeant = (sender: Sender) => sender.id === id && sender.role === role
  const change = {
    tenantId: caller.tenantId,
    id: params.id,
    editorId: caller.tokenId,
    reason,
    senders: (before: readonly Sender[] | null) => {
      if (!before?.some(isMeant)) throw notFound()
      return before.map((sender) => (isMeant(sender) ? merge(sender, changes) : sender))
    },
  }
  const token = orNotFound(await changeToken(change, store, { record: recordAsCaller(context), now: now() }))
  context.catalogChanged()
  const codes = await store.laboratoryCodes.list(caller.tenantId)
  return ok(presentSender({ token, sender: token.senders!.find(isMeant)! }, codes, now()))
}

type Changes = Partial<Record<'name' | 'timezone', string | null | undefined>> & { labs?: string[] | null | undefined }

/** Members that are absent stay; null removes one. */
function merge(sender: Sender, changes: Changes): Sender {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const merged = Object.entries({ ...sender, ...Object.fromEntries(given) }).filter(([, value]) => value !== null)
  return Object.fromEntries(merged) as Sender
}

function presentSender(
  { token, sender }: { token: TokenRow; sender: Sender },
  codes: readonly LaboratoryCode[],
  now: Date,
): contract.OperatorSender {
  const { id, role, name = null, labs = null, timezone = null } = sender
  const isOwn = ({ lab }: LaboratoryCode) => (labs === null ? fold(lab) === fold(id) : labs.includes(lab))
  const isEditable = token.origin === 'issued' && tokenState(token, now) !== 'revoked'
  return {
    object: 'sender',
    id,
    role,
    name,
    labs,
    timezone,
    token: { id: token.id, name: token.name, isEditable },
    codes: codes.filter(isOwn),
  }
}
