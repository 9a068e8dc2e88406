import { IconFileTypePdf, IconChevronLeft, IconInfoCircle, IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { FullResult } from '@order-testing/client/operator'
import { useState, type ReactNode } from 'react'
import { reportOf } from '../../api/candidates.ts'
import { shortName } from '../../api/masking.ts'
import { readDocument } from '../../api/results.ts'
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
import { FINDINGS, useAreFindingsHidden } from './findings.ts'
import { Segments } from './Segments.tsx'
import css from './results.module.css'

/** A report in words, and as it was received. */
export function ReportView({ result, onClose }: { result: FullResult; onClose: () => void }) {
  const words = useWords()
  const [view, setView] = useState<'summary' | 'raw'>('summary')
  const isHidden = useAreFindingsHidden(result)
  const original = originalOf(result)
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
          <Raw result={result} isHidden={isHidden} />
        ) : (
          <Segments message={original} isWithheld={isHidden} />
        ))}
    </article>
  )
}

function Summary({ result, isHidden }: { result: FullResult; isHidden: boolean }) {
  const words = useWords()
  const report = reportOf(result) as Record<string, unknown> & ReturnType<typeof reportOf>
  const { names } = words.results
  const person = report.participant
  const lines: [string, ReactNode][] = [
    [
      words.results.event,
      result.event === 'result' ? words.order.result : <StatusMark key="event" status={result.event} />,
    ],
    [words.results.occurred, <Time key="at" at={result.occurredAt} />],
    [words.results.sender, <Sender key="sender" {...result.sender} />],
    ...(person?.lastName === undefined
      ? []
      : [[names['participant']!, shortName({ firstName: '', lastName: '', ...person })] as [string, string]]),
    ...Object.entries(report.match ?? {}).map(([name, value]): [string, ReactNode] => [
      names[name] ?? name,
      <code key={name}>{value}</code>,
    ]),
    ...(['courier', 'trackingNumber', 'result', 'screen', 'reason'] as const)
      .filter((name) => report[name] !== undefined)
      .map((name): [string, ReactNode] => [
        names[name] ?? name,
        isHidden && FINDINGS.has(name) ? (
          <Hidden key={name} />
        ) : (
          <StatusOrText key={name} value={String(report[name])} />
        ),
      ]),
    ...(Array.isArray(report['analytes'])
      ? [
          [names['analytes']!, isHidden ? <Hidden key="findings" /> : `${report['analytes'].length}`] as [
            string,
            ReactNode,
          ],
        ]
      : []),
    [words.results.messageId, <code key="id">{result.messageId}</code>],
  ]
  return (
    <>
      <dl className={css.summary}>
        {lines.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {result.orderId !== null && (
          <div>
            <dt>{result.state === 'applied' ? words.results.appliedTo : words.results.suggested}</dt>
            <dd>
              <Link to="/orders/$code" params={{ code: result.orderId }}>
                {words.orders.openPage}
              </Link>
            </dd>
          </div>
        )}
      </dl>
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

/** As received, with personal data and withheld findings replaced. */
function Raw({ result, isHidden }: { result: FullResult; isHidden: boolean }) {
  const words = useWords()
  const hide = (name: string, value: unknown): unknown => {
    if (name === 'participant') return '••••'
    return isHidden && FINDINGS.has(name) ? words.results.withheld : value
  }
  return (
    <pre className={css.raw} tabIndex={0}>
      {JSON.stringify(result.message, hide, 2)}
    </pre>
  )
}

/** The HL7 message that the report was read from, if it was one. */
function originalOf({ message }: FullResult): string | undefined {
  const { original } = (message ?? {}) as { original?: unknown }
  return typeof original === 'string' ? original : undefined
}
