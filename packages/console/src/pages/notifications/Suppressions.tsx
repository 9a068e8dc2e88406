import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Suppression } from '@order-testing/client/operator'
import { useRef, useState } from 'react'
import { suppressionsQuery, type SuppressionFilters } from '../../api/notifications.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Select } from '../../parts/Select.tsx'
import { Time } from '../../parts/Time.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { ListTable, type Column } from '../../shell/ListTable.tsx'
import { TopBar, usePageTitle } from '../../shell/TopBar.tsx'
import list from '../../shell/list.module.css'
import { SuppressionPanel } from './SuppressionPanel.tsx'
import { ViewChoice } from './ViewChoice.tsx'
import css from './notifications.module.css'

const CHANNELS = ['email', 'mobile'] as const
const REASONS = ['optOut', 'hardBounce', 'complaint'] as const

/** The given text, if it is one of the known values. */
const known = <T extends string>(values: readonly T[], text: string | undefined): T | undefined =>
  values.find((value) => value === text)

/** The addresses that get no notifications. */
export function Suppressions() {
  const words = useWords()
  const { title, empty, emptyDetail } = words.notifications.suppressions
  usePageTitle(title)
  const search = useSearch({ from: '/signedIn/notifications' })
  const navigate = useNavigate({ from: '/notifications' })
  // An address is personal, so it is not kept in the address bar and its history.
  const [address, setAddress] = useState<string>()
  const channel = known(CHANNELS, search.channel)
  const reason = known(REASONS, search.reason)
  const filters: SuppressionFilters = {
    ...(channel !== undefined && { channel }),
    ...(reason !== undefined && { reason }),
    ...(address !== undefined && { address }),
  }
  const query = useInfiniteQuery(suppressionsQuery(filters))
  const change = (changes: Partial<Record<keyof typeof search, string | undefined>>) =>
    void navigate({ search: (now) => ({ ...now, ...changes }) as typeof now, replace: 'suppression' in changes })
  const opened = query.data?.pages.flatMap(({ data }) => data).find(({ id }) => id === search.suppression)
  return (
    <>
      <TopBar title={title} detail={query.data?.pages[0]?.total.toLocaleString(words.locale)}>
        <ViewChoice view="suppressions" />
      </TopBar>
      <div className={list.split}>
        <section className={list.list}>
          <div className={list.bar}>
            <FindAddress address={address} onFind={setAddress} />
            <Filter name="channel" value={channel} values={CHANNELS} onChange={(value) => change({ channel: value })} />
            <Filter name="reason" value={reason} values={REASONS} onChange={(value) => change({ reason: value })} />
          </div>
          <ListTable
            label={title}
            query={query}
            columns={columnsOf(words)}
            idOf={({ id }) => id}
            opened={search.suppression}
            onOpen={(suppression) => change({ suppression })}
            empty={{ title: empty, detail: emptyDetail }}
          />
        </section>
        {opened && (
          <SuppressionPanel key={opened.id} suppression={opened} onClose={() => change({ suppression: undefined })} />
        )}
      </div>
    </>
  )
}

function FindAddress({
  address,
  onFind,
}: {
  address: string | undefined
  onFind: (address: string | undefined) => void
}) {
  const words = useWords()
  const { find } = words.notifications.suppressions
  const field = useRef<HTMLInputElement>(null)
  useShortcut('/', () => field.current?.focus())
  return (
    <form
      className={css.find}
      onSubmit={(event) => {
        event.preventDefault()
        onFind(field.current?.value.trim() || undefined)
      }}
    >
      <input ref={field} className={css.field} aria-label={find} placeholder={find} autoComplete="off" />
      <Button type="submit">{words.actions.search}</Button>
      {address !== undefined && (
        <Button
          look="bare"
          onClick={() => {
            if (field.current) field.current.value = ''
            onFind(undefined)
          }}
        >
          {words.actions.clear}
        </Button>
      )}
    </form>
  )
}

interface FilterProps<T extends string> {
  name: 'channel' | 'reason'
  value: T | undefined
  values: readonly T[]
  onChange: (value: T | undefined) => void
}

function Filter<T extends string>({ name, value, values, onChange }: FilterProps<T>) {
  const { channel, channels, suppressions } = useWords().notifications
  const labels = name === 'channel' ? channels : suppressions.reasons
  const all = { value: 'all', label: name === 'channel' ? suppressions.allChannels : suppressions.allReasons }
  return (
    <Select
      isBare
      label={name === 'channel' ? channel : suppressions.reason}
      options={[all, ...values.map((each) => ({ value: each as string, label: labels[each] ?? each }))]}
      value={value ?? 'all'}
      onChange={(chosen) => onChange(known(values, chosen))}
    />
  )
}

function columnsOf({ notifications: { channel, channels, suppressions } }: Words): Column<Suppression>[] {
  return [
    {
      label: suppressions.address,
      width: 'minmax(0, 1.6fr)',
      cell: ({ address }) => <b className={list.strong}>{address}</b>,
    },
    {
      label: channel,
      width: '120px',
      isExtra: true,
      cell: (row) => channels[row.channel] ?? row.channel,
    },
    {
      label: suppressions.reason,
      width: '130px',
      cell: ({ reason }) => suppressions.reasons[reason] ?? reason,
    },
    {
      label: suppressions.since,
      width: '100px',
      isRight: true,
      cell: ({ createdAt }) => <Time at={createdAt} as="short" />,
    },
  ]
}
