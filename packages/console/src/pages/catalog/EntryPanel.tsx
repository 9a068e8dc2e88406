import { IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { CatalogClinicOutput, CatalogFileOutput } from '@order-testing/client/operator'
import { useState } from 'react'
import { strandedQuery } from '../../api/bookings.ts'
import { catalogQuery, diffQuery } from '../../api/catalog.ts'
import { problemsOf } from '../../api/failures.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import { explain } from '../../parts/refusals.ts'
import { sentenceOf } from '../../parts/States.tsx'
import { Tag } from '../../parts/Tag.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import list from '../../shell/list.module.css'
import { useMay } from '../../shell/session.tsx'
import { useUnsaved } from '../../shell/unsaved.tsx'
import { useApply } from './apply.ts'
import { Affected, Changes } from './Changes.tsx'
import { EntryForm } from './EntryForm.tsx'
import { isOnlyChange, withEntry, type Kind, type Listed } from './entries.ts'
import { fieldOfPointer } from './limits.ts'
import css from './catalog.module.css'

interface Props {
  file: CatalogFileOutput
  kind: Kind
  listed: Listed
  onClose: () => void
}

/** An entry with its common edits. The difference and who is affected are shown before it is applied. */
export function EntryPanel({ file, kind, listed: { entry: saved, owner }, onClose }: Props) {
  const words = useWords()
  const mayWrite = useMay('operator.catalog.write')
  const [entry, setEntry] = useState(saved)
  const [generation, setGeneration] = useState(0)
  const isChanged = JSON.stringify(entry) !== JSON.stringify(saved)
  const changed = withEntry(file, kind, entry)
  const { dataUpdatedAt: readAt } = useQuery(catalogQuery)
  const diff = useQuery({ ...diffQuery(changed, `${readAt} ${kind} ${JSON.stringify(entry)}`), enabled: isChanged })
  const apply = useApply(words.catalog.applied(entry.name))
  const isOwn = diff.data === undefined || isOnlyChange(diff.data.changes, kind, { saved, entry })
  const isReady = isChanged && diff.data !== undefined && isOwn && !apply.isPending
  const confirm = () => isReady && apply.mutate({ file: changed, basedOn: diff.data.basedOn })
  const problem = diff.error ?? apply.error ?? (isOwn ? null : new Error(words.catalog.meanwhile))
  const isMeanwhile = problem instanceof Error && problem.message === words.catalog.meanwhile
  const beside = problemsByField(problem, words)
  useShortcut('mod+enter', confirm, isChanged)
  const goToRebooking = useRebooking()
  const unsaved = useUnsaved(isChanged, (current, next) => entryOf(current) === entryOf(next))
  const mayRebook = useMay('operator.orders.write') && (diff.data?.openBookings ?? 0) > 0
  const applyAndRebook = async () => {
    if (!isReady) return
    const isApplied = await apply.mutateAsync({ file: changed, basedOn: diff.data.basedOn }).then(
      () => true,
      () => false,
    )
    if (isApplied) await goToRebooking(entry.id)
  }
  const queries = useQueryClient()
  // What is typed stays, unless they changed the same entry.
  const loadAgain = async () => {
    apply.reset()
    await queries.invalidateQueries({ queryKey: catalogQuery.queryKey, exact: true })
  }
  const discard = () => {
    setEntry(saved)
    setGeneration(generation + 1)
  }
  return (
    <aside className={list.panel} aria-label={saved.name}>
      <header className={list.panelHead}>
        <h2>{saved.name}</h2>
        {isChanged && <Tag tone="warn">{words.catalog.unsaved}</Tag>}
        <span className={list.space} />
        <IconButton label={words.actions.close} onClick={onClose}>
          <IconX size={16} />
        </IconButton>
        <p>
          <code>{saved.id}</code>
        </p>
      </header>
      <div className={list.panelBody}>
        <EntryForm
          key={generation}
          {...{ file, kind, saved, entry, owner }}
          isReadOnly={!mayWrite}
          problems={beside}
          onChange={setEntry}
        />
        {isChanged && diff.data && <Changes changes={diff.data} />}
        {isChanged && kind === 'clinics' && <Affected clinic={entry as unknown as CatalogClinicOutput} />}
        {problem && (
          <p role="alert" className={css.problem}>
            {beside.size > 0 ? words.refusals.marked : sentenceOf(problem, words)}
          </p>
        )}
        {isMeanwhile && (
          <Button size="form" onClick={() => void loadAgain()}>
            {words.catalog.loadAgain}
          </Button>
        )}
      </div>
      {isChanged && (
        <footer className={list.panelFoot}>
          <Button look="bare" size="form" onClick={discard}>
            {words.catalog.discard}
          </Button>
          <span className={list.space} />
          {mayRebook && (
            <Button size="form" disabled={!isReady} onClick={() => void applyAndRebook()}>
              {words.catalog.applyAndRebook}
            </Button>
          )}
          <Button
            look="filled"
            size="form"
            keys="mod+enter"
            disabled={!isReady}
            isBusy={apply.isPending}
            onClick={confirm}
          >
            {words.catalog.apply}
          </Button>
        </footer>
      )}
      {unsaved.question}
    </aside>
  )
}

const entryOf = ({ pathname, search }: { pathname: string; search: Record<string, unknown> }) =>
  [pathname, search['kind'], search['entry']].join(' ')

/** What the service refused, by the path of the field it is about. */
function problemsByField(error: unknown, words: Words): ReadonlyMap<string, string> {
  const found = problemsOf(error).flatMap((problem): [string, string][] => {
    const path = fieldOfPointer(problem.pointer)
    return path === undefined ? [] : [[path, explain(problem, words)]]
  })
  return new Map(found)
}

/** Opens the rebooking of a clinic that was switched off, with the bookings that it has lost. */
function useRebooking() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (clinic: string) => {
    // A list from before the change would lack them.
    await queries.prefetchQuery({ ...strandedQuery, staleTime: 0 })
    await navigate({ to: '/bookings', search: { clinic, rebook: '1' } })
  }
}
