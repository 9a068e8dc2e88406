import { IconChevronLeft, IconFileTypePdf, IconInfoCircle, IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { FullResult } from '@order-testing/client/operator'
import { useState } from 'react'
import { reportOf } from '../../api/candidates.ts'
import { shortName } from '../../api/masking.ts'
import { readDocument, revealResult } from '../../api/results.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import { Choice } from '../../parts/Field.tsx'
import { sentenceOf } from '../../parts/States.tsx'
import { download } from '../../parts/download.ts'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { Tag, Withheld } from '../../parts/Tag.tsx'
import { Time } from '../../parts/Time.tsx'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { Dismiss } from './Dismiss.tsx'
import { Reveal, useRevealed } from './Reveal.tsx'
import { Segments } from './Segments.tsx'
import { SummaryLines, type SummaryLine } from './SummaryLines.tsx'
import css from './results.module.css'

/** A report in words, and as it was received. */
export function ReportView({ result, onClose }: { result: FullResult; onClose: () => void }) {
  const words = useWords()
  const [view, setView] = useState<'summary' | 'raw'>('summary')
  const isHidden = result.hiddenFor !== null
  const revealed = useRevealed(result, revealResult)
  const original = originalOf(revealed.item)
  const specimen = reportOf(result).match?.specimenId ?? reportOf(result).specimen?.id
  return (
    <article className={css.report} aria-label={words.results.report}>
      <header>
        <IconButton label={words.actions.back} className={css.back} onClick={onClose}>
          <IconChevronLeft size={18} />
        </IconButton>
        <h2>
          {specimen === undefined ? words.results.report : `${words.order.specimen} `}
          {specimen !== undefined && <code>{specimen}</code>}
        </h2>
        <Tag tone={result.state === 'queued' ? 'warn' : result.state === 'applied' ? 'good' : 'neutral'}>
          {words.results.states[result.state as keyof Words['results']['states']] ?? result.state}
        </Tag>
        <span className={css.space} />
        {result.state === 'queued' && <Dismiss id={result.id} onDone={onClose} />}
        <p className={css.sub}>
          <span title={result.sender.id}>{result.sender.name ?? result.sender.id}</span> · {words.results.received}{' '}
          <Time at={result.receivedAt} />
        </p>
      </header>
      {result.why !== null && (
        <p className={css.why}>
          <IconInfoCircle size={16} />
          <span>
            <b>{words.results.why}</b> {words.results.reasons[result.why] ?? result.why}
          </span>
        </p>
      )}
      <Choice
        look="segments"
        label={words.results.report}
        value={view}
        onChange={setView}
        options={[
          { value: 'summary', label: words.results.summary },
          { value: 'raw', label: original === undefined ? words.results.raw : words.results.bySegment },
        ]}
      />
      {view === 'summary' && <Summary result={result} isHidden={isHidden} />}
      {view === 'raw' &&
        (original === undefined ? (
          <Raw result={revealed.item} />
        ) : (
          <Segments message={original} isWithheld={isHidden} />
        ))}
      {view === 'raw' && <Reveal {...revealed} />}
    </article>
  )
}

const orderLine = ({ state }: FullResult, orderId: string, words: Words): SummaryLine => [
  state === 'applied' ? words.results.appliedTo : words.results.suggested,
  <Link key="order" to="/orders/$code" params={{ code: orderId }}>
    {words.orders.openPage}
  </Link>,
]

function Summary({ result, isHidden }: { result: FullResult; isHidden: boolean }) {
  const words = useWords()
  const report = reportOf(result) as Record<string, unknown> & ReturnType<typeof reportOf>
  const { names } = words.results
  const person = report.participant
  const lines: SummaryLine[] = [
    [
      words.results.event,
      result.event === 'result' ? words.order.result : <StatusMark key="event" status={result.event} />,
    ],
    [words.results.occurred, <Time key="at" at={result.occurredAt} />],
    [words.results.sender, <Sender key="sender" {...result.sender} />],
    ...(person?.lastName === undefined
      ? []
      : [[names['participant']!, shortName({ firstName: '', lastName: '', ...person })] as SummaryLine]),
    ...Object.entries(report.match ?? {}).map(([name, value]): SummaryLine => [
      names[name] ?? name,
      <code key={name}>{value}</code>,
    ]),
    ...(['courier', 'trackingNumber', 'result', 'screen', 'reason'] as const)
      .filter((name) => report[name] !== undefined)
      .map((name): SummaryLine => [names[name] ?? name, <StatusOrText key={name} value={String(report[name])} />]),
    ...(Array.isArray(report['analytes']) ? [[names['analytes']!, `${report['analytes'].length}`] as SummaryLine] : []),
    ...(isHidden ? [[names['result']!, <Hidden key="findings" />] as SummaryLine] : []),
    [words.results.messageId, <code key="id">{result.messageId}</code>],
    ...(result.orderId === null ? [] : [orderLine(result, result.orderId, words)]),
  ]
  return (
    <>
      <SummaryLines lines={lines} />
      <Documents result={result} isHidden={isHidden} />
      {result.problems.length > 0 && (
        <section className={css.problems}>
          <h3>{words.results.problems}</h3>
          {result.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </section>
      )}
    </>
  )
}

const Sender = ({ kind, id, name }: FullResult['sender']) => (
  <>
    {`${kind} · ${name ?? id}`}
    {name !== null && (
      <>
        {' '}
        <code>{id}</code>
      </>
    )}
  </>
)

/** The files of a report. They may hold findings, so they are withheld with them. */
function Documents({ result, isHidden }: { result: FullResult; isHidden: boolean }) {
  const words = useWords()
  const toasts = useToasts()
  const mayRead = useMay('operator.documents.read')
  if (result.documents.length === 0 || !mayRead) return null
  const save = (id: string, name: string) =>
    void readDocument(id).then(
      (file) => download(name, file),
      (error: unknown) => toasts.warn(sentenceOf(error, words)),
    )
  return (
    <section className={css.documents}>
      <h3>{words.results.documents}</h3>
      {isHidden ? (
        <Hidden />
      ) : (
        result.documents.map(({ id, name }) => (
          <Button key={id} icon={<IconFileTypePdf size={15} />} onClick={() => save(id, name)}>
            {name}
          </Button>
        ))
      )}
    </section>
  )
}

function StatusOrText({ value }: { value: string }) {
  const words = useWords()
  return words.statuses[value] === undefined ? value : <StatusMark status={value} />
}

function Hidden() {
  const words = useWords()
  return (
    <Withheld>
      <IconLock size={13} /> {words.results.withheld}
    </Withheld>
  )
}

/** As received: the service has masked the person and left out withheld findings. */
function Raw({ result }: { result: FullResult }) {
  return (
    <pre className={css.raw} tabIndex={0}>
      {JSON.stringify(result.message, null, 2)}
    </pre>
  )
}

/** The HL7 message that the report was read from, if it was one. */
function originalOf({ message }: FullResult): string | undefined {
  const { original } = (message ?? {}) as { original?: unknown }
  return typeof original === 'string' ? original : undefined
}
