import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { CatalogFile, CatalogFileOutput } from '@order-testing/client/operator'
import { useMemo, useRef, useState } from 'react'
import { catalogQuery } from '../../api/catalog.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { download } from '../../parts/download.ts'
import { Choice } from '../../parts/Field.tsx'
import { Tag } from '../../parts/Tag.tsx'
import { Allowed } from '../../shell/Allowed.tsx'
import list from '../../shell/list.module.css'
import { ListSearch } from '../../shell/ListSearch.tsx'
import { ListTable } from '../../shell/ListTable.tsx'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { TopBar, usePageTitle } from '../../shell/TopBar.tsx'
import { ClinicMap } from './ClinicMap.tsx'
import { isActive, KINDS, listedOf, type Kind, type Listed } from './entries.ts'
import { EntryPanel } from './EntryPanel.tsx'
import { ImportDialog } from './ImportDialog.tsx'
import css from './catalog.module.css'

const STATES = ['all', 'active', 'inactive'] as const
type State = (typeof STATES)[number]

/** Companies, locations, packages, services and clinics. */
export default function CatalogPage() {
  const words = useWords()
  return (
    <Allowed title={words.catalog.title} scope="operator.catalog.read">
      <CatalogEntries />
    </Allowed>
  )
}

function CatalogEntries() {
  const words = useWords()
  usePageTitle(words.catalog.title)
  const search = useSearch({ from: '/signedIn/catalog' })
  const navigate = useNavigate({ from: '/catalog' })
  const kind = KINDS.find((each) => each === search.kind) ?? 'companies'
  const catalog = useQuery({ ...catalogQuery, refetchOnWindowFocus: false })
  const all = useMemo(() => (catalog.data ? listedOf(catalog.data, kind) : []), [catalog.data, kind])
  const [text, setText] = useState('')
  const [state, setState] = useState<State>('all')
  const rows = all.filter((row) => fits(row, text, state))
  const chosen = all.find(({ entry }) => entry.id === search.entry)
  const isMap = kind === 'clinics' && search.view !== 'list'
  const view = search.view === undefined ? {} : { view: search.view }
  const open = (entry: string | undefined) =>
    void navigate({ search: { kind, ...view, ...(entry !== undefined && { entry }) }, replace: true })
  return (
    <>
      <TopBar title={words.catalog.title}>{catalog.data && <Files file={catalog.data} />}</TopBar>
      <div className={list.split}>
        <div className={list.list}>
          <div className={list.bar}>
            <Choice
              label={words.catalog.title}
              value={kind}
              onChange={(next) => void navigate({ search: { kind: next } })}
              options={KINDS.map((each) => ({
                value: each,
                label: words.catalog.kinds[each],
                count: catalog.data && listedOf(catalog.data, each).length,
              }))}
            />
          </div>
          <div className={list.bar}>
            <ListSearch label={words.catalog.find} text={text} onChange={setText} className={css.find} />
            <Choice
              look="segments"
              label={words.catalog.state}
              value={state}
              onChange={setState}
              options={STATES.map((each) => ({ value: each, label: words.catalog.states[each] }))}
            />
            {kind === 'clinics' && (
              <Choice
                look="segments"
                label={words.catalog.map.view}
                value={isMap ? 'map' : 'list'}
                onChange={(next) =>
                  void navigate({ search: ({ view: _, ...kept }) => (next === 'map' ? kept : { ...kept, view: next }) })
                }
                options={[
                  { value: 'map', label: words.catalog.map.map },
                  { value: 'list', label: words.catalog.map.list },
                ]}
              />
            )}
          </div>
          {isMap && (
            <ClinicMap shown={new Set(rows.map(({ entry }) => entry.id))} chosen={search.entry} onOpen={open} />
          )}
          <EntryTable kind={kind} rows={rows} query={catalog} opened={search.entry} onOpen={open} />
        </div>
        {chosen && catalog.data && (
          <EntryPanel
            // What is typed outlives a list that is read again, unless this entry has changed.
            key={JSON.stringify(chosen.entry)}
            file={catalog.data}
            {...{ kind, listed: chosen }}
            onClose={() => open(undefined)}
          />
        )}
      </div>
    </>
  )
}

function fits({ entry, detail }: Listed, text: string, state: State): boolean {
  if (state !== 'all' && isActive(entry) !== (state === 'active')) return false
  const needle = text.trim().toLowerCase()
  return [entry.name, entry.id, detail].some((part) => part.toLowerCase().includes(needle))
}

interface TableProps {
  kind: Kind
  rows: Listed[]
  query: { error: unknown; isLoading: boolean; refetch: () => unknown }
  opened: string | undefined
  onOpen: (id: string | undefined) => void
}

function EntryTable({ kind, rows, query: { error, isLoading, refetch }, opened, onOpen }: TableProps) {
  const { catalog } = useWords()
  return (
    <ListTable
      key={kind}
      label={catalog.kinds[kind]}
      query={{
        data: isLoading ? undefined : { pages: [{ data: rows, total: rows.length }] },
        error,
        isLoading,
        refetch,
        hasNextPage: false,
        isFetchingNextPage: false,
        fetchNextPage: () => undefined,
      }}
      idOf={({ entry }) => entry.id}
      opened={opened}
      onOpen={onOpen}
      empty={{ title: catalog.empty, detail: catalog.emptyDetail }}
      columns={[
        { label: catalog.fields.name, width: 'minmax(160px, 1.2fr)', cell: ({ entry }) => entry.name },
        { label: catalog.detail, width: 'minmax(120px, 1fr)', cell: ({ detail }) => detail, isExtra: true },
        { label: catalog.id, width: '200px', cell: ({ entry }) => <code>{entry.id}</code>, isExtra: 'wide' },
        {
          label: catalog.state,
          width: '84px',
          cell: ({ entry }) => (
            <Tag tone={isActive(entry) ? 'good' : 'neutral'}>
              {isActive(entry) ? catalog.states.active : catalog.states.inactive}
            </Tag>
          ),
        },
      ]}
    />
  )
}

/** The whole catalog as a file: out, and in. */
function Files({ file }: { file: CatalogFileOutput }) {
  const words = useWords()
  const toasts = useToasts()
  const mayWrite = useMay('operator.catalog.write')
  const [imported, setImported] = useState<CatalogFile>()
  const field = useRef<HTMLInputElement>(null)
  const read = async (chosen: File | undefined) => {
    if (!chosen) return
    try {
      setImported(JSON.parse(await chosen.text()) as CatalogFile)
    } catch {
      toasts.warn(words.catalog.notJson)
    }
  }
  const save = () =>
    download(`${file.tenant.id}.json`, new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }))
  return (
    <>
      {mayWrite && (
        <>
          <input
            ref={field}
            type="file"
            accept="application/json,.json"
            className="hidden-visually"
            aria-label={words.catalog.importFile}
            tabIndex={-1}
            onChange={(event) => {
              void read(event.target.files?.[0])
              event.target.value = ''
            }}
          />
          <Button data-keep icon={<IconUpload size={15} />} onClick={() => field.current?.click()}>
            {words.catalog.importButton}
          </Button>
        </>
      )}
      <Button data-keep icon={<IconDownload size={15} />} onClick={save}>
        {words.catalog.exportButton}
      </Button>
      {imported && <ImportDialog file={imported} onClose={() => setImported(undefined)} />}
    </>
  )
}
