import { IconX } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FullDelivery } from '@order-testing/client/operator'
import { useState } from 'react'
import { deliveryQuery, replayDelivery } from '../../api/webhooks.ts'
import { useWords } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import { Failure, sentenceOf, SlowNotice } from '../../parts/States.tsx'
import { StatusIcon } from '../../parts/StatusMark.tsx'
import { Tag } from '../../parts/Tag.tsx'
import { Time } from '../../parts/Time.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { SidePanel } from '../../shell/ListTable.tsx'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import list from '../../shell/list.module.css'
import css from './webhooks.module.css'

/** A delivery with its attempts, and what the receiver answered. */
export function DeliveryPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords()
  const delivery = useQuery(deliveryQuery(id))
  const { data } = delivery
  const [chosen, setChosen] = useState<number>()
  const at = chosen ?? (data ? data.log.length - 1 : 0)
  const attempt = data?.log[at]
  return (
    <SidePanel
      label={words.webhooks.deliveries}
      head={
        <>
          <h2>
            {data && data.log.length > 0 ? words.webhooks.attempt(at + 1, data.log.length) : words.webhooks.notTried}
          </h2>
          {attempt && (
            <Tag tone={isGood(attempt.status) ? 'good' : 'bad'}>
              {attempt.status ?? words.webhooks.errors[attempt.error ?? ''] ?? attempt.error}
            </Tag>
          )}
          <span className={list.space} />
          <IconButton label={words.actions.close} onClick={onClose}>
            <IconX size={16} />
          </IconButton>
          <p>
            <code>{id}</code>
          </p>
        </>
      }
      foot={data && <Replay delivery={data} />}
    >
      {delivery.error ? (
        <Failure error={delivery.error} onRetry={() => void delivery.refetch()} />
      ) : data ? (
        <>
          {data.log.length > 1 && (
            <div className={list.section}>
              <div className={list.steps}>
                {data.log.map((each, index) => (
                  <button
                    key={each.at}
                    type="button"
                    className={css.step}
                    aria-pressed={index === at}
                    data-tone={isGood(each.status) ? 'good' : 'bad'}
                    onClick={() => setChosen(index)}
                  >
                    <StatusIcon shape={isGood(each.status) ? 'check' : 'alert'} /> {index + 1}
                  </button>
                ))}
              </div>
            </div>
          )}
          <section className={list.section}>
            <h3>{words.webhooks.request}</h3>
            <pre className={list.code}>{`POST ${data.callbackUrl}`}</pre>
            <dl className={list.pairs}>
              <dt>{words.webhooks.order}</dt>
              <dd>
                <Link to="/orders/$code" params={{ code: data.orderId }}>
                  <code>{data.orderId}</code>
                </Link>
              </dd>
              <dt>{words.webhooks.event}</dt>
              <dd>
                <code>{data.eventId}</code>
              </dd>
              <dt>{words.webhooks.version}</dt>
              <dd>{data.version}</dd>
              {data.nextAttemptAt !== null && (
                <>
                  <dt>{words.webhooks.nextAttempt}</dt>
                  <dd>
                    <Time at={data.nextAttemptAt} />
                  </dd>
                </>
              )}
            </dl>
          </section>
          {attempt && (
            <section className={list.section}>
              <h3>
                {words.webhooks.answer}
                <small>
                  <Time at={attempt.at} as="exactClock" /> ·{' '}
                  {words.webhooks.took(attempt.ms.toLocaleString(words.locale))}
                </small>
              </h3>
              <pre className={list.code}>{attempt.excerpt || attempt.detail || words.webhooks.noAnswer}</pre>
            </section>
          )}
        </>
      ) : (
        <SlowNotice />
      )}
    </SidePanel>
  )
}

const isGood = (status: number | null) => status !== null && status >= 200 && status < 300

function Replay({ delivery: { id, endedAt } }: { delivery: FullDelivery }) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const mayWrite = useMay('operator.deliveries.write')
  const replay = useMutation({
    mutationFn: () => replayDelivery(id),
    onSuccess: async () => {
      toasts.tell(words.webhooks.replayed)
      await queries.invalidateQueries({ queryKey: ['deliveries'] })
      await queries.invalidateQueries({ queryKey: ['delivery', id] })
    },
    onError: (error) => toasts.warn(sentenceOf(error, words)),
  })
  const canReplay = mayWrite && endedAt !== null
  useShortcut('r', () => replay.mutate(), canReplay && !replay.isPending)
  return (
    <>
      <span className={list.quiet}>{words.webhooks.sameBytes}</span>
      <span className={list.space} />
      {canReplay && (
        <Button size="form" look="filled" keys="r" isBusy={replay.isPending} onClick={() => replay.mutate()}>
          {words.webhooks.replay}
        </Button>
      )}
    </>
  )
}
