import { IconAlertTriangle, IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AuditFault } from '@order-testing/client/operator'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { auditHeadQuery, verifyAuditPart } from '../../api/audit.ts'
import { withPatience } from '../../api/failures.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Progress } from '../../parts/Progress.tsx'
import { sentenceOf } from '../../parts/States.tsx'
import * as times from '../../parts/times.ts'
import list from '../../shell/list.module.css'
import { verifyAll, type Verified } from './verification.ts'
import css from './audit.module.css'

/** Idle, then running, then done or failed; from there it can run again. */
type Phase =
  | { name: 'idle' }
  | { name: 'running'; verified: Verified | undefined; total: number }
  | { name: 'done'; verified: Verified }
  | { name: 'failed'; error: unknown }

interface Verification {
  phase: Phase
  start: () => void
  stop: () => void
}

export function useVerification(): Verification {
  const queries = useQueryClient()
  const [phase, setPhase] = useState<Phase>({ name: 'idle' })
  const stopping = useRef<AbortController>(undefined)
  // Leaving the page stops it.
  useEffect(() => () => stopping.current?.abort(), [])
  const start = useCallback(() => {
    const { signal } = (stopping.current = new AbortController())
    const run = async () => {
      setPhase({ name: 'running', verified: undefined, total: 0 })
      const { seq } = await queries.fetchQuery({ ...auditHeadQuery, staleTime: 0 })
      const readPart = (after: string | undefined) => withPatience(() => verifyAuditPart(after), { signal })
      // Each link is looked at once, and then each entry.
      const onProgress = (verified: Verified) => setPhase({ name: 'running', verified, total: 2 * seq })
      return verifyAll(readPart, { signal, onProgress })
    }
    run().then(
      (verified) => setPhase({ name: 'done', verified }),
      (error: unknown) => setPhase({ name: 'failed', error }),
    )
  }, [queries])
  return { phase, start, stop: () => stopping.current?.abort() }
}

/** The state of the hash chain in one line: what was checked, or its head. */
export function ChainLine({ verification: { phase, start, stop } }: { verification: Verification }) {
  const words = useWords()
  const { audit } = words
  if (phase.name === 'idle') return <HeadLine />
  if (phase.name === 'running')
    return (
      <Line tone="progress">
        <div className={css.progress}>
          <Progress
            text={audit.verifying}
            done={phase.verified?.steps ?? 0}
            of={Math.max(phase.total, phase.verified?.steps ?? 0)}
          />
        </div>
        <Button onClick={stop}>{words.bulk.stop}</Button>
      </Line>
    )
  if (phase.name === 'failed')
    return (
      <Line tone="warn">
        <IconAlertTriangle size={16} />
        <b role="alert">{`${audit.verifyFailed} ${sentenceOf(phase.error, words)}`}</b>
        <Button onClick={start}>{words.actions.tryAgain}</Button>
      </Line>
    )
  return <Outcome verified={phase.verified} />
}

function Outcome({ verified: { links, head, faults, isWhole } }: { verified: Verified }) {
  const words = useWords()
  const { audit } = words
  const count = links.toLocaleString(words.locale)
  if (faults.length > 0)
    return (
      <>
        <Line tone="bad">
          <IconShieldX size={16} />
          <b role="alert">{audit.faults(faults.length.toLocaleString(words.locale))}</b>
          <span>
            {audit.faultsChecked(count)} {!isWhole && audit.faultsStopped}
          </span>
        </Line>
        <FaultList faults={faults} />
      </>
    )
  if (!isWhole)
    return (
      <Line tone="neutral">
        <b role="status">{audit.verifyStopped(count)}</b>
      </Line>
    )
  return (
    <Line tone="good">
      <IconShieldCheck size={16} />
      <b role="status">{`${audit.intact} ${audit.checked(count)}`}</b>
      {head && <Hash label={audit.head} hash={head.hash} />}
    </Line>
  )
}

function FaultList({ faults }: { faults: readonly AuditFault[] }) {
  const { audit } = useWords()
  return (
    // It scrolls, so it takes the focus.
    <ul className={css.faults} aria-label={audit.faultList} tabIndex={0}>
      {faults.map(({ kind, seq, entryId, detail }, index) => (
        <li key={index}>
          <b>{audit.faultKinds[kind] ?? kind}</b> {seq !== null && <code>{seq}</code>} {detail}{' '}
          {entryId !== null && kind !== 'missing' && (
            <Link to="/audit" search={(now) => ({ ...now, entry: entryId })}>
              {audit.openEntry}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The head of the hash chain: keep it elsewhere, and any later change of the log can be proved. */
function HeadLine() {
  const words = useWords()
  const head = useQuery(auditHeadQuery)
  if (!head.data) return <Line tone="neutral">{null}</Line>
  const { seq, hash, linkedAt } = head.data
  return (
    <Line tone="good">
      <IconShieldCheck size={16} />
      <b>{words.audit.chain(seq.toLocaleString(words.locale))}</b>
      <span className={css.linked}>
        {linkedAt !== null && words.audit.linked(times.moment(words, new Date(linkedAt)))}
      </span>
      <Hash label={words.audit.head} hash={hash} />
    </Line>
  )
}

const Line = ({ tone, children }: { tone: string; children: ReactNode }) => (
  <div className={list.banner} data-tone={tone}>
    {children}
  </div>
)

const Hash = ({ label, hash }: { label: string; hash: string }) => (
  <code className={css.hash} title={`${label} ${hash}`}>{`${hash.slice(0, 8)}…${hash.slice(-8)}`}</code>
)
