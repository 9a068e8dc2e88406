import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CatalogFile, CatalogFileOutput } from '@order-testing/client/operator'
import { applyCatalog, catalogQuery, readCatalog } from '../../api/catalog.ts'
import { useWords } from '../../languages/words.tsx'
import { useToasts } from '../../shell/toasts.tsx'

interface Change {
  file: CatalogFile | CatalogFileOutput
  /** What the change was made from. Absent for a file that replaces everything. */
  base?: CatalogFileOutput
}

/** Applies a file, unless somebody else has changed the catalog since it was read: their change would be lost. */
export function useApply(done: string) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ file, base }: Change) => {
      if (base && JSON.stringify(await readCatalog()) !== JSON.stringify(base)) throw new Error(words.catalog.meanwhile)
      return applyCatalog(file)
    },
    onSuccess: async () => {
      toasts.tell(done)
      await queries.invalidateQueries({ queryKey: catalogQuery.queryKey })
      await queries.invalidateQueries({ queryKey: ['bookings'] })
    },
  })
}
