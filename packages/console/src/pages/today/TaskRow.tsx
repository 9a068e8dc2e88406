import {
  IconAlertTriangle,
  IconBuildingOff,
  IconClockExclamation,
  IconHandStop,
  IconHourglassHigh,
  IconLinkOff,
  IconMailX,
  IconMapPinOff,
  IconMicroscope,
  IconWebhookOff,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
import type { Task } from '../../api/tasks.ts'
import { useWords } from '../../languages/words.tsx'
import * as times from '../../parts/times.ts'
import { initialsOf } from '../../shell/initials.ts'
import { useSendLink } from '../../shell/send-link.ts'
import { useMay } from '../../shell/session.tsx'
import { actionOf, factOf, reasonOf, relativeDue, subjectOf, type TaskAction } from './facts.ts'
import { SnoozeMenu } from './Snooze.tsx'
import parts from '../../parts/parts.module.css'
import css from './today.module.css'

const ICONS: Record<string, [tone: string, Icon: typeof IconMailX]> = {
  helpAsked: ['bad', IconMapPinOff],
  declined: ['bad', IconHandStop],
  linkNotOpened: ['neutral', IconLinkOff],
  expiring: ['warn', IconClockExclamation],
  notificationFailed: ['bad', IconMailX],
  resultUnmatched: ['progress', IconMicroscope],
  clinicOff: ['warn', IconBuildingOff],
  receiverFailing: ['bad', IconWebhookOff],
  stuck: ['warn', IconHourglassHigh],
}

export const lookOfTask = ({ reason }: Task) => ICONS[reason] ?? (['neutral', IconAlertTriangle] as const)

interface Props {
  task: Task
  now: Date
  isAt: boolean
  /** Whether Tab reaches it. */
  isFirst: boolean
  /** The id of the task in the panel. */
  opened: string | undefined
  onAt: () => void
  onOpen: () => void
  /** Opens the menu for snoozing at this row. */
  snooze: Omit<ComponentProps<typeof SnoozeMenu>, 'children'> | undefined
}

export function TaskRow({ task, now, isAt, isFirst, opened, onAt, onOpen, snooze }: Props) {
  const words = useWords()
  const [tone, Icon] = lookOfTask(task)
  const { order } = task
  const title = reasonOf(task, words)
  const button = useRef<HTMLButtonElement>(null)
  const isOpened = task.id === opened
  const hasPanel = opened !== undefined
  useEffect(() => {
    // Enter opens the row that J and K have reached. In the panel, it does what the focused control does; when that closes,
    // the focus returns to the row.
    if (isAt && !document.activeElement?.closest('aside, [role=dialog], [role=menu], input')) button.current?.focus()
  }, [isAt, hasPanel])
  return (
    <div className={css.row} data-at={isAt} data-opened={isOpened}>
      <button
        ref={button}
        type="button"
        className={css.open}
        tabIndex={isFirst ? 0 : -1}
        aria-expanded={isOpened}
        aria-label={[title, order?.code ?? subjectOf(task, words)].join(', ')}
        onFocus={onAt}
        onClick={() => {
          onAt()
          onOpen()
        }}
      />
      <span className={css.icon} data-tone={tone}>
        <Icon size={17} stroke={1.75} />
      </span>
      <span className={css.cell}>
        <b>{title}</b>
        <span>{factOf(task, words, now.getTime())}</span>
      </span>
      <span className={css.cell} data-extra>
        {order ? (
          <>
            <span className={css.who}>
              <code>{order.code}</code> {order.participant}
            </span>
            <span>{`${order.company} · ${order.location}`}</span>
          </>
        ) : (
          <>
            <code>{subjectOf(task, words)}</code>
            <span title={task.result?.sender.id}>{task.result?.sender.name ?? task.details['senderId']}</span>
          </>
        )}
      </span>
      <Due task={task} now={now} />
      <Claimer task={task} />
      <span className={css.action}>
        <ActionButton task={task} />
        {snooze && (
          <SnoozeMenu {...snooze}>
            <span className={css.snoozeAt} />
          </SnoozeMenu>
        )}
      </span>
    </div>
  )
}

function Due({ task, now }: { task: Task; now: Date }) {
  const words = useWords()
  const zone = task.order?.timezone
  if (task.snoozedUntil !== null && Date.parse(task.snoozedUntil) > now.getTime())
    return (
      <span className={css.cell}>
        <span>{words.today.until(times.inZone(words, new Date(task.snoozedUntil)))}</span>
      </span>
    )
  const isOver = Date.parse(task.dueAt) < now.getTime()
  return (
    <span className={css.cell}>
      <time dateTime={task.dueAt} data-over={isOver}>
        {isOver ? relativeDue(task, words, now.getTime()) : times.inZone(words, new Date(task.dueAt), zone)}
      </time>
      <span>
        {[!isOver && relativeDue(task, words, now.getTime()), words.today.acts[task.actor]].filter(Boolean).join(' · ')}
      </span>
    </span>
  )
}

/** Who works on it. */
export function Claimer({ task: { claimedBy } }: { task: Task }) {
  const { today } = useWords()
  if (!claimedBy) return <span className={css.nobody} />
  const name = claimedBy.name ?? today.somebody
  return (
    <span className={css.claimer} data-mine={claimedBy.isMe} title={name}>
      <span aria-hidden="true">{initialsOf(name)}</span>
      <span className="hidden-visually">{claimedBy.isMe ? today.yours : today.by(name)}</span>
    </span>
  )
}

const DIALOGS: Partial<Record<TaskAction, string>> = {
  book: 'book',
  rebook: 'book',
  extend: 'extend',
  contact: 'contact',
}

/** Leads to where the one obvious thing is done. */
export function ActionButton({ task, look = 'plain' }: { task: Task; look?: 'plain' | 'filled' }) {
  const words = useWords()
  const sendLink = useSendLink()
  const mayWrite = useMay('operator.orders.write', 'operator.participants.write')
  const maySendLinks = useMay('operator.links.write')
  const maySend = mayWrite || maySendLinks
  const usual = actionOf(task)
  const isAllowed = usual === 'send' ? maySend : DIALOGS[usual] === undefined || mayWrite
  const action = isAllowed ? usual : 'order'
  const { order } = task
  const text: ReactNode = words.today.actions[action]
  const style = { className: parts.button, 'data-look': look }
  if (action === 'match')
    return (
      <Link to="/results" search={{ report: task.subjectId }} {...style}>
        {text}
      </Link>
    )
  if (action === 'receiver')
    return (
      <Link to="/webhooks" search={{ origin: task.subjectId }} {...style}>
        {text}
      </Link>
    )
  if (!order) return null
  if (action === 'send')
    return (
      <button type="button" {...style} onClick={() => sendLink(order.id)}>
        {text}
      </button>
    )
  const dialog = DIALOGS[action]
  return (
    <Link to="/orders/$code" params={{ code: order.code }} search={dialog ? { open: dialog } : {}} {...style}>
      {text}
    </Link>
  )
}
