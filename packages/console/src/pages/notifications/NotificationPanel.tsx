import { IconAt, IconRefresh, IconX } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Message } from '@order-testing/client/operator'
import { notificationQuery, resendNotification } from '../../api/notifications.ts'
import { useWords } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import { Failure, sentenceOf, SlowNotice } from '../../parts/States.tsx'
import { Tag } from '../../parts/Tag.tsx'
import { Time } from '../../parts/Time.tsx'
import type { Tone } from '../../parts/statuses.ts'
import { SidePanel } from '../../shell/ListTable.tsx'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import list from '../../shell/list.module.css'
import { Preview } from './Preview.tsx'

const TONES: Record<string, Tone> = {
  waiting: 'progress',
  sent: 'good',
  failed: 'bad',
  bounced: 'bad',
  suppressed: 'warn',
  uncertain: 'warn',
  dropped: 'neutral',
}

export const StateTag = ({ state }: { state: string }) => {
  const words = useWords()
  return <Tag tone={TONES[state] ?? 'neutral'}>{words.notifications.states[state] ?? state}</Tag>
}

export function NotificationPanel({ id, onClose }: { id: string; onClose: () => void }) {
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
      foot={
        data && (
          <>
            <FixAddress message={data} />
            <Resend message={data} />
          </>
        )
      }
    >
      {message.error && !data ? (
        <Failure error={message.error} onRetry={() => void message.refetch()} />
      ) : data ? (
        <>
          <section className={list.section}>
            <dl className={list.pairs}>
              <dt>{notifications.order}</dt>
              <dd>
                <Link to="/orders/$code" params={{ code: data.orderCode ?? data.orderId }}>
                  {data.orderCode === null ? notifications.openOrder : <code>{data.orderCode}</code>}
                </Link>
              </dd>
              <dt>{notifications.to}</dt>
              <dd>
                {[notifications.recipients[data.recipient] ?? data.recipient, data.to].filter(Boolean).join(', ')}
              </dd>
              <dt>{notifications.channel}</dt>
              <dd>{notifications.channels[data.channel] ?? data.channel}</dd>
              <dt>{notifications.created}</dt>
              <dd>
                <Time at={data.createdAt} />
              </dd>
              {data.state === 'waiting' && (
                <>
                  <dt>{notifications.due}</dt>
                  <dd>
                    <Time at={data.dueAt} />
                  </dd>
                </>
              )}
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
          <Preview id={id} />
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

/** Whether another address could help. Only the participant's can be changed here. */
const isUndeliverable = ({ recipient, state }: Message) =>
  recipient === 'participant' && ['failed', 'bounced', 'suppressed'].includes(state)

/** Opens the order's contact, which then offers to resend this notification. */
function FixAddress({ message }: { message: Message }) {
  const { notifications } = useWords()
  const navigate = useNavigate()
  const mayWrite = useMay('operator.orders.write', 'operator.participants.write')
  if (!mayWrite || !isUndeliverable(message)) return null
  return (
    <Button
      size="form"
      look="filled"
      icon={<IconAt size={15} />}
      onClick={() =>
        void navigate({
          to: '/orders/$code',
          params: { code: message.orderId },
          search: { open: 'contact', resend: message.id },
        })
      }
    >
      {notifications.fixAddress}
    </Button>
  )
}

function Resend({ message }: { message: Message }) {
  const { id, endedAt, reason } = message
  const words = useWords()
  const mayWrite = useMay('operator.messages.write')
  const mayFix = useMay('operator.orders.write', 'operator.participants.write')
  const resend = useResend(id)
  if (!mayWrite || (endedAt === null && reason !== 'quota')) return null
  return (
    <Button
      size="form"
      look={mayFix && isUndeliverable(message) ? 'plain' : 'filled'}
      icon={<IconRefresh size={15} />}
      isBusy={resend.isPending}
      onClick={() => resend.mutate()}
    >
      {words.notifications.resend}
    </Button>
  )
}

function useResend(id: string) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => resendNotification(id),
    onSuccess: async () => {
      toasts.tell(words.notifications.resent)
      await queries.invalidateQueries({ queryKey: ['notifications'] })
      await queries.invalidateQueries({ queryKey: ['notification', id], exact: true })
    },
    onError: (error) => toasts.warn(sentenceOf(error, words)),
  })
}
