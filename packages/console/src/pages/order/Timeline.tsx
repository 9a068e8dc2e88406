import { IconArrowRight, IconEye, IconGitMerge, IconMail, IconMicroscope, IconWebhook } from '@tabler/icons-react'
import type { TimelineEntry } from '@order-testing/client/operator'
import { useMemo, useState, type ReactNode } from 'react'
import type { ReadOrder } from '../../api/orders.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Choice } from '../../parts/Field.tsx'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { isClosed } from '../../parts/statuses.ts'
import { Time } from '../../parts/Time.tsx'
import * as times from '../../parts/times.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useOrderActions } from './actions.tsx'
import { messageState } from './message-state.ts'
import { needsReview, type ServiceWithMoves } from './rules.ts'
import css from './order.module.css'

type Kind = keyof Words['order']['timelineFilters']

const KINDS: readonly Kind[] = ['all', 'status', 'message', 'event', 'result', 'action']

/** What happened, newest first, by day. T goes through the filters. */
export function Timeline({ read }: { read: ReadOrder }) {
  const words = useWords()
  const { services } = useOrderActions()
  const [kind, setKind] = useState<Kind>('all')
  const entries = useMemo(() => visibleEntries(read, services).toReversed(), [read, services])
  const counts = Object.fromEntries(KINDS.map((each) => [each, entries.filter((entry) => isOf(entry, each)).length]))
  const offered = KINDS.filter((each) => each === 'all' || counts[each]! > 0)
  useShortcut('t', () => setKind((now) => offered[(offered.indexOf(now) + 1) % offered.length]!))
  const { timezone } = read
  const days = byDay(
    entries.filter((entry) => isOf(entry, kind)),
    timezone,
  )
  return (
    <section className={css.timeline} aria-label={words.order.timeline}>
      <header>
        <h2>{words.order.timeline}</h2>
        <Choice
          label={words.order.timeline}
          value={kind}
          onChange={setKind}
          options={offered.map((each) => ({
            value: each,
            label: words.order.timelineFilters[each],
            count: counts[each],
          }))}
        />
      </header>
      <div className={css.days}>
        {days.map(([first, ...rest], index) => (
          <section key={first!.at}>
            <h3>
              {times.weekday(words, new Date(first!.at), timezone)}
              {index === 0 && <small>{times.zoneName(words, timezone)}</small>}
            </h3>
            <ol>
              {[first!, ...rest].map((entry, at) => (
                <Entry
                  key={`${entry.at}-${at}`}
                  entry={entry}
                  services={services}
                  zone={timezone}
                  isOrderClosed={isClosed(read.order.status)}
                />
              ))}
            </ol>
          </section>
        ))}
        {days.length === 0 && <p className={css.emptyTimeline}>{words.order.emptyTimeline}</p>}
      </div>
    </section>
  )
}

const isOf = ({ type }: TimelineEntry, kind: Kind) =>
  kind === 'all' || type === kind || (kind === 'status' && (type === 'serviceStatus' || type === 'match'))

/** Without the first reading of a test that is under review: it is a finding. */
function visibleEntries(read: ReadOrder, services: ServiceWithMoves[]): TimelineEntry[] {
  const isHidden = ({ type, details }: TimelineEntry) => {
    if (details['status'] !== 'nonNegative' || (type !== 'serviceStatus' && type !== 'status')) return false
    const concerned = services.filter(({ shown }) => type === 'status' || shown.id === details['serviceId'])
    return concerned.some((service) => needsReview(service) && !isClosed(service.shown.status))
  }
  return read.timeline.filter((entry) => !isHidden(entry))
}

function byDay(entries: TimelineEntry[], zone: string): TimelineEntry[][] {
  const days: TimelineEntry[][] = []
  for (const entry of entries) {
    const last = days.at(-1)
    if (last && times.isSameDay(new Date(last[0]!.at), new Date(entry.at), zone)) last.push(entry)
    else days.push([entry])
  }
  return days
}

const ICONS: Record<string, [tone: string, Icon: typeof IconMail]> = {
  status: ['progress', IconArrowRight],
  serviceStatus: ['progress', IconArrowRight],
  message: ['progress', IconMail],
  event: ['good', IconWebhook],
  result: ['neutral', IconMicroscope],
  match: ['neutral', IconGitMerge],
  action: ['neutral', IconEye],
}

function Entry({ entry, ...around }: { entry: TimelineEntry } & Omit<Around, 'words'>) {
  const { services, zone, isOrderClosed } = around
  const words = useWords()
  const [tone, Icon] = ICONS[entry.type] ?? ICONS['action']!
  const { timelineFilters } = words.order
  const kind = entry.type === 'serviceStatus' || entry.type === 'match' ? 'status' : (entry.type as Kind)
  return (
    <li className={css.entry}>
      <span className={css.entryIcon} data-tone={tone}>
        <Icon size={14} stroke={1.75} />
      </span>
      <span className={css.entryText}>{textOf(entry, { services, words, zone, isOrderClosed })}</span>
      <span className={css.entryKind}>{timelineFilters[kind]}</span>
      <Time at={entry.at} as="clock" zone={zone} isReachable />
    </li>
  )
}

/** What the words of an entry depend on. */
interface Around {
  services: ServiceWithMoves[]
  words: Words
  zone: string
  /** Nothing that is planned for the order happens any more. */
  isOrderClosed: boolean
}

function textOf({ type, summary, details }: TimelineEntry, { services, ...around }: Around): ReactNode {
  const { words } = around
  const status = typeof details['status'] === 'string' ? details['status'] : undefined
  if (type === 'status' && status !== undefined)
    return (
      <>
        {words.order.orderLine} {words.order.became} <StatusMark status={status} />
      </>
    )
  if (type === 'serviceStatus' && status !== undefined) {
    const service = services.find(({ shown }) => shown.id === details['serviceId'])
    return (
      <>
        {service?.shown.name}: <StatusMark status={status} />
      </>
    )
  }
  if (type === 'message') return <MessageText details={details} {...around} />
  if (type === 'result') return <ReportText details={details} words={words} />
  if (type === 'action') return <ActionText details={details} words={words} />
  if (type !== 'event') return summary
  const { receivers } = details
  return words.order.eventLine(typeof receivers === 'number' ? receivers : undefined)
}

interface TextProps {
  details: Record<string, unknown>
  words: Words
}

/** Laboratories of the catalog are known by name, other senders by id. */
function ReportText({ details, words }: TextProps) {
  const { id, name } = details['sender'] as { id: string; name: string | null }
  const [event, state] = [String(details['event']), String(details['state'])]
  return (
    <>
      <span title={id}>{words.order.reportLine(name ?? id)}</span>{' '}
      {event in words.statuses ? <StatusMark status={event} /> : words.order.reportedResult}
      {state !== 'applied' && <span className={css.quiet}> {words.order.reportStates[state] ?? state}</span>}
    </>
  )
}

function ActionText({ details, words }: TextProps) {
  const [actor, action] = [String(details['actor']), String(details['action'])]
  const { reason } = details
  return (
    <>
      <b>{actor}</b> {words.order.actions[action] ?? <code>{action}</code>}
      {typeof reason === 'string' && <span className={css.quiet}> {reason}</span>}
    </>
  )
}

function MessageText({ details, words, zone, isOrderClosed }: TextProps & Omit<Around, 'services'>) {
  const { notifications } = words
  const [kind, recipient] = [String(details['kind']), String(details['recipient'])]
  return (
    <>
      {words.order.messageLine(notifications.kinds[kind] ?? kind, notifications.recipients[recipient] ?? recipient)}{' '}
      <span className={css.quiet}>{messageState(details, { words, zone, isOrderClosed })}</span>
    </>
  )
}
