import { IconDownload, IconShieldCheck } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { AuditEntry } from '@order-testing/client/operator'
import { useState } from 'react'
import { auditEntryQuery, auditQuery, exportAudit } from '../../api/audit.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Time } from '../../parts/Time.tsx'
import * as times from '../../parts/times.ts'
import { totalText } from '../../parts/totals.ts'
import { Allowed } from '../../shell/Allowed.tsx'
import { ExportDialog } from '../../shell/ExportDialog.tsx'
import { ListTable, type Column } from '../../shell/ListTable.tsx'
import { TopBar, usePageTitle } from '../../shell/TopBar.tsx'
import list from '../../shell/list.module.css'
import { ChainLine, useVerification } from './Chain.tsx'
import { EntryPanel, whoOf } from './EntryPanel.tsx'
import { Filters, filtersOf } from './Filters.tsx'

export default function AuditPage() {
  const words = useWords()
  return (
    <Allowed title={words.audit.title} scope="operator.audit.read">
      <AuditLog />
    </Allowed>
  )
}

function AuditLog() {
  const words = useWords()
  const { audit } = words
  usePageTitle(audit.title)
  const search = useSearch({ from: '/signedIn/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const { entry: opened, ...filtered } = search
  const filters = filtersOf(filtered)
  const query = useInfiniteQuery(auditQuery(filters))
  const [isExporting, setExporting] = useState(false)
  const verification = useVerification()
  const open = (entry: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, entry }) as typeof now, replace: true })
  const first = query.data?.pages[0]
  const entry = useEntry(
    opened,
    query.data?.pages.flatMap(({ data }) => data),
  )
  return (
    <>
      <TopBar title={audit.title} detail={first && audit.entries(totalText(first, words))}>
        <Button data-keep icon={<IconDownload size={15} />} onClick={() => setExporting(true)}>
          {audit.exportCsv}
        </Button>
        <Button
          data-keep
          icon={<IconShieldCheck size={15} />}
          isBusy={verification.phase.name === 'running'}
          onClick={verification.start}
        >
          {audit.verify}
        </Button>
      </TopBar>
      <ChainLine verification={verification} />
      <div className={list.split}>
        <section className={list.list}>
          <Filters key={JSON.stringify(filtered)} />
          <ListTable
            label={audit.title}
            query={query}
            columns={columnsOf(words)}
            idOf={({ id }) => id}
            opened={opened}
            onOpen={open}
            empty={{ title: audit.empty, detail: audit.emptyDetail }}
          />
        </section>
        {entry && <EntryPanel entry={entry} onClose={() => open(undefined)} />}
      </div>
      {isExporting && (
        <ExportDialog
          texts={audit.exporting}
          fileName="audit.csv"
          readPart={exportAudit(filters)}
          total={first?.total ?? 0}
          onClose={() => setExporting(false)}
        />
      )}
    </>
  )
}

/** The open entry, read by itself if the list has not come to it. */
function useEntry(id: string | undefined, listed: AuditEntry[] | undefined): AuditEntry | undefined {
  const found = listed?.find((entry) => entry.id === id)
  const isElsewhere = id !== undefined && listed !== undefined && found === undefined
  const read = useQuery({ ...auditEntryQuery(id ?? ''), enabled: isElsewhere })
  return found ?? (isElsewhere ? (read.data ?? undefined) : undefined)
}

function columnsOf(words: Words): Column<AuditEntry>[] {
  const { audit } = words
  return [
    { label: `${audit.time}, ${times.zoneName(words)}`, width: '120px', cell: ({ at }) => <WhenCell at={at} /> },
    { label: audit.who, width: 'minmax(0, 1fr)', cell: (entry) => whoOf(entry, words) },
    { label: audit.action, width: 'minmax(0, 1fr)', cell: ({ action }) => <code>{action}</code> },
    {
      label: audit.on,
      width: 'minmax(0, 1.4fr)',
      isExtra: true,
      cell: ({ subject }) => <SubjectCell {...subject} />,
    },
    { label: audit.detail, width: 'minmax(0, 1fr)', isExtra: 'wide', cell: ({ reason }) => reason ?? '' },
  ]
}

/** By the code or name that people know it by, if it has one. */
const SubjectCell = ({ type, id, name }: AuditEntry['subject']) =>
  name !== null && type !== 'order' ? (
    <span title={id}>{name}</span>
  ) : (
    <code className={list.quiet} title={id}>
      {name ?? id}
    </code>
  )

const WhenCell = ({ at }: { at: string }) => {
  const words = useWords()
  const date = new Date(at)
  return times.isSameDay(date, new Date()) ? (
    <Time at={at} as="exactClock" />
  ) : (
    <>{`${times.day(words, date)}, ${times.clock(words, date)}`}</>
  )
}
