import { useQueryClient } from '@tanstack/react-query'
import type { CatalogFile, CatalogFileOutput } from '@order-testing/client/operator'
import { applyCatalog, catalogQuery } from '../../api/catalog.ts'
import { statusOf } from '../../api/failures.ts'
import { useWords } from '../../languages/words.tsx'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { useToasts } from '../../shell/toasts.tsx'

interface Change {
  file: CatalogFile | CatalogFileOutput
  /** The catalog for which the difference was shown. */
  basedOn: string
}

/** Applies a file, unless somebody else has changed the catalog since its difference was shown: their change would be lost. */
export function useApply(done: string) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  return useDialogChange({
    send: async (signal, { file, basedOn }: Change) => {
      try {
        return await applyCatalog(file, basedOn, signal)
      } catch (error) {
        if (statusOf(error) !== 409) throw error
        await queries.invalidateQueries({ queryKey: ['catalogDiff'] })
        throw new Error(words.catalog.meanwhile, { cause: error })
      }
    },
    onSuccess: async () => {
      toasts.tell(done)
      await queries.invalidateQueries({ queryKey: catalogQuery.queryKey })
      await queries.invalidateQueries({ queryKey: ['bookings'] })
    },
  })
}
