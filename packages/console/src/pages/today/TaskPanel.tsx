import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { statusOf } from '../../api/failures.ts'
import { orderQuery } from '../../api/orders.ts'
import { taskQuery, type Task } from '../../api/tasks.ts'
import { useWords } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import { Bone, Failure, SlowNotice } from '../../parts/States.tsx'
import { StatusMark } from '../../parts/StatusMark.tsx'
import * as times from '../../parts/times.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import { SidePanel } from '../../shell/ListTable.tsx'
import { useMay } from '../../shell/session.tsx'
import { OrderActions, useOrderActions } from '../order/actions.tsx'
import { NextMoves } from '../order/NextMoves.tsx'
import { PanelHistory } from '../order/PanelParts.tsx'
import { Participant } from '../order/Participant.tsx'
import { useTaskChanges } from './changes.ts'
import { actionOf, factOf, reasonOf, relativeDue, subjectOf } from './facts.ts'
import { useFinish } from './Finish.tsx'
import { Snooze } from './Snooze.tsx'
import { ActionButton, Claimer, lookOfTask } from './TaskRow.tsx'
import parts from '../../parts/parts.module.css'
import list from '../../shell/list.module.css'
import css from './today.module.css'

interface Props {
  id: string
  now: Date
  onClose: () => void
}

/** Why the task is there, what helps, and who works on it. */
export function TaskPanel({ id, now, onClose }: Props) {
  const words = useWords()
  const { today } = words
  const task = useQuery(taskQuery(id))
  const { data } = task
  const head = (
    <>
      <h2>{data?.order ? <code>{data.order.code}</code> : data ? reasonOf(data, words) : today.panel}</h2>
      {data?.order && <StatusMark status={data.order.status} isTag />}
      <span className={list.space} />
      {data?.order && (
        <Link to="/orders/$code" params={{ code: data.order.code }} className={parts.button}>
          {words.orders.openPage}
        </Link>
      )}
      <IconButton label={words.actions.close} onClick={onClose}>
        <IconX size={16} />
      </IconButton>
      {data?.result && (
        <p>
          <code>{subjectOf(data, words)}</code>
          <br />
          <span title={data.result.sender.id}>{data.result.sender.name ?? data.result.sender.id}</span>
        </p>
      )}
      {data?.order && (
        <p>
          {`${data.order.company} · ${data.order.location}`}
          <br />
          {data.order.package}
        </p>
      )}
    </>
  )
  const isGone = statusOf(task.error) === 404
  return (
    <SidePanel
      label={today.panel}
      head={head}
      foot={data && !isGone ? <Foot task={data} onClose={onClose} /> : undefined}
    >
      {isGone ? (
        <p className={css.gone}>{today.gone}</p>
      ) : task.error && !data ? (
        <Failure error={task.error} onRetry={() => void task.refetch()} />
      ) : data ? (
        <Content task={data} now={now} />
      ) : (
        <Loading />
      )}
    </SidePanel>
  )
}

function Content({ task, now }: { task: Task; now: Date }) {
  if (task.order) return <WithOrder task={task} code={task.order.code} now={now} />
  return (
    <section className={list.section}>
      <Why task={task} now={now} />
      <ActionButton task={task} look="filled" />
    </section>
  )
}

function Why({ task, now }: { task: Task; now: Date }) {
  const words = useWords()
  const { today } = words
  const [tone, Icon] = lookOfTask(task)
  const zone = task.order?.timezone
  return (
    <div className={css.why} data-tone={tone} role="note" aria-label={today.why}>
      <Icon size={17} />
      <p>
        <b>{reasonOf(task, words)}</b>
        {factOf(task, words, now.getTime())}
        <span>
          {today.due(times.inZone(words, new Date(task.dueAt), zone), relativeDue(task, words, now.getTime()))}{' '}
          {task.order?.expiresAt && today.expires(times.inZone(words, new Date(task.order.expiresAt), zone))}
        </span>
      </p>
    </div>
  )
}

function WithOrder({ task, code, now }: { task: Task; code: string; now: Date }) {
  const order = useQuery(orderQuery(code))
  if (order.error && !order.data) return <Failure error={order.error} onRetry={() => void order.refetch()} />
  if (!order.data)
    return (
      <>
        <section className={list.section}>
          <Why task={task} now={now} />
        </section>
        <Loading />
      </>
    )
  return (
    <OrderActions read={order.data}>
      <section className={list.section}>
        <Why task={task} now={now} />
        <Ways task={task} />
      </section>
      <Participant read={order.data} />
      <PanelHistory read={order.data} />
      <NextMoves read={order.data} />
    </OrderActions>
  )
}

/** The one obvious thing first, then what else helps. */
function Ways({ task }: { task: Task }) {
  const words = useWords()
  const { today } = words
  const actions = useOrderActions()
  const ways = [
    { name: 'book', can: actions.canBook, text: today.actions.book, keys: 'b', run: actions.book },
    { name: 'send', can: actions.canSendLink, text: words.order.sendLink, keys: 'r', run: actions.sendLinkAgain },
    { name: 'extend', can: actions.canExtend, text: today.actions.extend, keys: 'd', run: actions.extend },
    { name: 'contact', can: actions.canChangeContact, text: today.contact.open, run: actions.changeContact },
    { name: 'cancel', can: actions.canCancel, text: words.order.cancelOrder, run: actions.cancel },
  ].filter(({ can }) => can)
  const action = actionOf(task)
  const first = ways.find(({ name }) => name === (action === 'rebook' ? 'book' : action))
  return (
    <>
      {first && (
        <Button look="filled" size="form" {...(first.keys && { keys: first.keys })} onClick={first.run}>
          {today.actions[action]}
        </Button>
      )}
      <div className={css.ways} role="group" aria-label={today.alternatives}>
        {ways
          .filter((way) => way !== first)
          .map(({ name, text, keys, run }) => (
            <Button
              key={name}
              look={name === 'cancel' ? 'danger' : 'plain'}
              {...(keys !== undefined && { keys })}
              onClick={run}
            >
              {text}
            </Button>
          ))}
      </div>
    </>
  )
}

function Foot({ task, onClose }: { task: Task; onClose: () => void }) {
  const { today } = useWords()
  const changes = useTaskChanges()
  const { finish, dialog } = useFinish(onClose)
  const mayWrite = useMay('operator.orders.write', 'operator.tasks.write')
  const { claimedBy } = task
  const isSnoozed = task.snoozedUntil !== null && Date.parse(task.snoozedUntil) > Date.now()
  const wake = () => changes.snooze(task, null)
  useShortcut('c', () => changes.claim(task), mayWrite)
  const claim = claimedBy === null ? today.claim : claimedBy.isMe ? today.release : today.takeOver
  return (
    <>
      <Claimer task={task} />
      <span className={css.owner}>
        {claimedBy !== null && (claimedBy.isMe ? today.yours : today.by(claimedBy.name ?? today.somebody))}
      </span>
      {mayWrite && (
        <>
          <Button keys="c" onClick={() => changes.claim(task)}>
            {claim}
          </Button>
          {task.doneAt !== null ? (
            <Button onClick={() => changes.reopen(task)}>{today.reopen}</Button>
          ) : (
            <>
              {isSnoozed ? (
                <Button onClick={wake}>{today.wake}</Button>
              ) : (
                <Snooze
                  onSnooze={(until) => {
                    changes.snooze(task, until)
                    onClose()
                  }}
                />
              )}
              <Button keys="e" onClick={() => finish(task)}>
                {today.done}
              </Button>
              {dialog}
            </>
          )}
        </>
      )}
    </>
  )
}

const Loading = () => (
  <section className={list.section}>
    {[160, 220, 190].map((width) => (
      <Bone key={width} width={width} />
    ))}
    <SlowNotice />
  </section>
)
