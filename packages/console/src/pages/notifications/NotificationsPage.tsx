import { IconRefresh, IconX } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Message } from '@order-testing/client/operator'
import {
  notificationQuery,
  notificationsQuery,
  resendNotification,
  type NotificationFilters,
} from '../../api/notifications.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import { Choice } from '../../parts/Field.tsx'
import { Failure, sentenceOf, SlowNotice } from '../../parts/States.tsx'
import { Tag } from '../../parts/Tag.tsx'
import { Time } from '../../parts/Time.tsx'
import type { Tone } from '../../parts/statuses.ts'
import { ListTable, SidePanel, type Column } from '../../shell/ListTable.tsx'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { TopBar, usePageTitle } from '../../shell/TopBar.tsx'
import list from '../../shell/list.module.css'

const STATES = ['waiting', 'sent', 'failed', 'bounced', 'suppressed', 'uncertain', 'dropped'] as const
type State = (typeof STATES)[number]

const TONES: Record<string, Tone> = {
  waiting: 'progress',
  sent: 'good',
  failed: 'bad',
  bounced: 'bad',
  suppressed: 'warn',
  uncertain: 'warn',
  dropped: 'neutral',
}

const isState = (text: string | undefined): text is State => STATES.some((state) => state === text)

export default function NotificationsPage() {
  const words = useWords()
  usePageTitle(words.notifications.title)
  const search = useSearch({ from: '/signedIn/notifications' })
  const navigate = useNavigate({ from: '/notifications' })
  const filters: NotificationFilters = isState(search.state) ? { state: search.state } : {}
  const query = useInfiniteQuery(notificationsQuery(filters))
  const open = (notification: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, notification }) as typeof now, replace: true })
  return (
    <>
      <TopBar title={words.notifications.title} detail={query.data?.pages[0]?.total.toLocaleString(words.locale)} />
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

const StateTag = ({ state }: { state: string }) => {
  const words = useWords()
  return <Tag tone={TONES[state] ?? 'neutral'}>{words.notifications.states[state] ?? state}</Tag>
}

function columnsOf({ notifications: words }: Words): Column<Message>[] {
  return [
    {
      label: words.kind,
      width: 'minmax(0, 1.6fr)',
      cell: ({ kind }) => <b className={list.strong}>{words.kinds[kind] ?? kind}</b>,
    },
    {
      label: words.to,
      width: '110px',
      isExtra: true,
      cell: ({ recipient }) => words.recipients[recipient] ?? recipient,
    },
    { label: words.channel, width: '110px', isExtra: true, cell: ({ channel }) => words.channels[channel] ?? channel },
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

function NotificationPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords()
  const { notifications } = words
  const message = useQuery(notificationQuery(id))
  const { data } = message
  return (
    <SidePanel
      label={notifications.title}
      head={
        <>
          <h2>{data ? (notifications.kinds[data.kind] ?? data.kind) : '…'}</h2>
          {data && <StateTag state={data.state} />}
          <span className={list.space} />
          <IconButton label={words.actions.close} onClick={onClose}>
            <IconX size={16} />
          </IconButton>
          <p>
            <code>{id}</code>
          </p>
        </>
      }
      foot={data && <Resend id={id} canResend={data.endedAt !== null || data.reason === 'quota'} />}
    >
      {message.error ? (
        <Failure error={message.error} onRetry={() => void message.refetch()} />
      ) : data ? (
        <>
          <section className={list.section}>
            <dl className={list.pairs}>
              <dt>{notifications.order}</dt>
              <dd>
                <Link to="/orders/$code" params={{ code: data.orderId }}>
                  {notifications.openOrder}
                </Link>
              </dd>
              <dt>{notifications.to}</dt>
              <dd>{notifications.recipients[data.recipient] ?? data.recipient}</dd>
              <dt>{notifications.channel}</dt>
              <dd>{notifications.channels[data.channel] ?? data.channel}</dd>
              <dt>{notifications.created}</dt>
              <dd>
                <Time at={data.createdAt} />
              </dd>
              <dt>{notifications.ended}</dt>
              <dd>{data.endedAt === null ? words.none : <Time at={data.endedAt} />}</dd>
            </dl>
            {data.reason === 'quota' && <p className={list.quiet}>{notifications.quota}</p>}
            <p className={list.quiet}>{notifications.textNotStored}</p>
          </section>
          {data.bounce && (
            <section className={list.section}>
              <h3>
                {notifications.bounce} <small>{data.bounce.type}</small>
              </h3>
              <p>{data.bounce.reason}</p>
            </section>
          )}
          <section className={list.section}>
            <h3>{notifications.log}</h3>
            {data.log.length === 0 && <p className={list.quiet}>{notifications.noLog}</p>}
            {data.log.map((attempt) => (
              <div key={attempt.number}>
                <b className={list.strong}>{notifications.outcomes[attempt.outcome] ?? attempt.outcome}</b>{' '}
                <span className={list.quiet}>
                  <Time at={attempt.at} as="exactClock" /> · {attempt.durationMs} ms
                </span>
                {attempt.detail !== null && <pre className={list.code}>{attempt.detail}</pre>}
              </div>
            ))}
          </section>
        </>
      ) : (
        <SlowNotice />
      )}
    </SidePanel>
  )
}

function Resend({ id, canResend }: { id: string; canResend: boolean }) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const mayWrite = useMay('operator.messages.write')
  const resend = useMutation({
    mutationFn: () => resendNotification(id),
    onSuccess: async () => {
      toasts.tell(words.notifications.resent)
      await queries.invalidateQueries({ queryKey: ['notifications'] })
      await queries.invalidateQueries({ queryKey: ['notification', id] })
    },
    onError: (error) => toasts.warn(sentenceOf(error, words)),
  })
  if (!mayWrite || !canResend) return null
  return (
    <Button
      size="form"
      look="filled"
      icon={<IconRefresh size={15} />}
      isBusy={resend.isPending}
      onClick={() => resend.mutate()}
    >
      {words.notifications.resend}
    </Button>
  )
}
