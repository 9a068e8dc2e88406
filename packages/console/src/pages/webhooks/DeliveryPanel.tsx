import { IconX } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FullDelivery } from '@order-testing/client/operator'
import { useState } from 'react'
import { deliveryQuery, replayDelivery } from '../../api/webhooks.ts'
import { useWords } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import { Failure, sentenceOf, SlowNotice } from '../../parts/States.tsx'
import { Tag } from '../../parts/Tag.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { SidePanel } from '../../shell/ListTable.tsx'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { AnswerPart, RequestPart } from './Exchange.tsx'
import { Schedule } from './Schedule.tsx'
import list from '../../shell/list.module.css'

/** A delivery with its attempts, and what the receiver answered. */
export function DeliveryPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords()
  const delivery = useQuery(deliveryQuery(id))
  const { data } = delivery
  const [chosen, setChosen] = useState<number>()
  const attempt = data?.log.find(({ number }) => number === chosen) ?? data?.log.at(-1)
  return (
    <SidePanel
      label={words.webhooks.deliveries}
      head={
        <>
          <h2>
            {data && attempt
              ? words.webhooks.attempt(attempt.number, Math.max(data.attempts, data.schedule.at(-1)?.number ?? 0))
              : words.webhooks.notTried}
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
      {delivery.error && !data ? (
        <Failure error={delivery.error} onRetry={() => void delivery.refetch()} />
      ) : data ? (
        <>
          <Schedule delivery={data} chosen={attempt?.number} onChoose={setChosen} />
          <RequestPart delivery={data} attempt={attempt} />
          {attempt && <AnswerPart attempt={attempt} />}
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
