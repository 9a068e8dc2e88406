import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Message } from '@order-testing/client/operator'
import { notificationsQuery, type NotificationFilters } from '../../api/notifications.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Choice } from '../../parts/Field.tsx'
import { Time } from '../../parts/Time.tsx'
import { totalText } from '../../parts/totals.ts'
import { Allowed } from '../../shell/Allowed.tsx'
import { ListTable, type Column } from '../../shell/ListTable.tsx'
import { TopBar, usePageTitle } from '../../shell/TopBar.tsx'
import list from '../../shell/list.module.css'
import { NotificationPanel, StateTag } from './NotificationPanel.tsx'
import { Suppressions } from './Suppressions.tsx'
import { ViewChoice } from './ViewChoice.tsx'

const STATES = ['waiting', 'sent', 'failed', 'bounced', 'suppressed', 'uncertain', 'dropped'] as const
type State = (typeof STATES)[number]

const isState = (text: string | undefined): text is State => STATES.some((state) => state === text)

export default function NotificationsPage() {
  const words = useWords()
  return (
    <Allowed title={words.notifications.title} scope="operator.messages.read">
      <AnyNotifications />
    </Allowed>
  )
}

function AnyNotifications() {
  const { view } = useSearch({ from: '/signedIn/notifications' })
  return view === 'suppressions' ? <Suppressions /> : <Notifications />
}

function Notifications() {
  const words = useWords()
  usePageTitle(words.notifications.title)
  const search = useSearch({ from: '/signedIn/notifications' })
  const navigate = useNavigate({ from: '/notifications' })
  const filters: NotificationFilters = isState(search.state) ? { state: search.state } : {}
  const query = useInfiniteQuery(notificationsQuery(filters))
  const first = query.data?.pages[0]
  const open = (notification: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, notification }) as typeof now, replace: true })
  return (
    <>
      <TopBar title={words.notifications.title} detail={first && totalText(first, words)}>
        <ViewChoice view="sent" />
      </TopBar>
      <div className={list.split}>
        <section className={list.list}>
          <div className={list.bar}>
            <Choice
              label={words.notifications.state}
              value={search.state ?? 'all'}
              onChange={(state) => void navigate({ search: state === 'all' ? {} : { state } })}
              options={['all', ...STATES].map((state) => ({
                value: state,
                label: state === 'all' ? words.notifications.all : (words.notifications.states[state] ?? state),
              }))}
            />
          </div>
          <ListTable
            label={words.notifications.title}
            query={query}
            columns={columnsOf(words)}
            idOf={({ id }) => id}
            opened={search.notification}
            onOpen={open}
            empty={{ title: words.notifications.empty, detail: words.notifications.emptyDetail }}
          />
        </section>
        {search.notification !== undefined && (
          <NotificationPanel key={search.notification} id={search.notification} onClose={() => open(undefined)} />
        )}
      </div>
    </>
  )
}

function columnsOf({ notifications: words, none }: Words): Column<Message>[] {
  return [
    {
      label: words.kind,
      width: 'minmax(0, 1.6fr)',
      cell: ({ kind }) => <b className={list.strong}>{words.kinds[kind] ?? kind}</b>,
    },
    {
      label: words.order,
      width: '96px',
      cell: ({ orderCode }) => (orderCode === null ? none : <code>{orderCode}</code>),
    },
    {
      label: words.to,
      width: 'minmax(0, 1.2fr)',
      isExtra: true,
      cell: ({ recipient, to }) => to ?? words.recipients[recipient] ?? recipient,
    },
    {
      label: words.channel,
      width: '110px',
      isExtra: 'wide',
      cell: ({ channel }) => words.channels[channel] ?? channel,
    },
    { label: words.state, width: '100px', cell: ({ state }) => <StateTag state={state} /> },
    { label: words.attempts, width: '76px', isRight: true, isExtra: 'wide', cell: ({ attempts }) => attempts },
    {
      label: words.created,
      width: '100px',
      isRight: true,
      cell: ({ createdAt }) => <Time at={createdAt} as="short" />,
    },
  ]
}
