import type { Result } from '@order-testing/contract/operator'
import type { ResultRow } from '../../store/results/results.ts'
import type { Transaction } from '../../store/store.ts'

export type SenderNames = ReadonlyMap<string, string>

/** The names that the catalog has for the senders of these reports, read at once. */
export const findSenderNames = (
  rows: Iterable<Pick<ResultRow, 'senderId'>>,
  store: Pick<Transaction, 'services'>,
  tenantId: string,
): Promise<SenderNames> =>
  store.services.laboratoryNames(
    tenantId,
    Array.from(rows, ({ senderId }) => senderId),
  )

export const presentSender = (
  { senderKind, senderId }: Pick<ResultRow, 'senderKind' | 'senderId'>,
  names: SenderNames,
): Result['sender'] => ({ kind: senderKind, id: senderId, name: names.get(senderId) ?? null })
