import { useQuery } from '@tanstack/react-query'
import type { CatalogFile } from '@order-testing/client/operator'
import { useState } from 'react'
import { diffQuery } from '../../api/catalog.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { TextField } from '../../parts/Field.tsx'
import { SlowNotice } from '../../parts/States.tsx'
import { useApply } from './apply.ts'
import { Changes } from './Changes.tsx'

/** More entries than these are switched off only by somebody who types their number. */
const HANDFUL = 5

/** Shows what a file would change before it is applied. */
export function ImportDialog({ file, onClose }: { file: CatalogFile; onClose: () => void }) {
  const words = useWords()
  const [key] = useState(() => `import ${Date.now()}`)
  const diff = useQuery(diffQuery(file, key))
  const apply = useApply(words.catalog.imported)
  const [typed, setTyped] = useState('')
  const off = diff.data?.deactivated ?? 0
  const isMeant = off <= HANDFUL || typed.trim() === String(off)
  const isReady = diff.data !== undefined && diff.data.changes.length > 0 && isMeant && !apply.isPending
  const confirm = () => isReady && apply.mutate({ file, basedOn: diff.data.basedOn }, { onSuccess: onClose })
  const problem = diff.error ?? apply.error
  return (
    <AskDialog
      size={620}
      title={words.catalog.importFile}
      onClose={onClose}
      onConfirm={confirm}
      leave={words.catalog.discard}
      confirm={words.catalog.apply}
      isReady={isReady}
      isBusy={apply.isPending}
      error={problem}
    >
      <p>{words.catalog.importNote}</p>
      {diff.isLoading && <SlowNotice />}
      {diff.data && <Changes changes={diff.data} />}
      {off > HANDFUL && (
        <TextField
          label={words.catalog.typeSwitchedOff(off)}
          autoComplete="off"
          inputMode="numeric"
          placeholder={String(off)}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
    </AskDialog>
  )
}
