import type { ResultContent } from '../../store/results/results.ts'

/** The order and the specimen that a report names. They are stored only encrypted. */
export function referencesIn({ message }: ResultContent): { orderCode: string | null; specimenId: string | null } {
  const { match, specimen } = 'event' in message ? message : { match: undefined, specimen: undefined }
  return { orderCode: match?.orderCode ?? null, specimenId: match?.specimenId ?? specimen?.id ?? null }
}
