import { useInfiniteQuery } from '@tanstack/react-query'
import type { TokenRequestEntry } from '@order-testing/client/operator'
import { useState } from 'react'
import { tokenRequestsQuery } from '../../api/tokens.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Check } from '../../parts/Field.tsx'
import { Failure, SlowNotice } from '../../parts/States.tsx'
import { StatusIcon } from '../../parts/StatusMark.tsx'
import { Time } from '../../parts/Time.tsx'
import list from '../../shell/list.module.css'
import css from './tokens.module.css'

/** The last requests of a token; refused ones open in place. */
export function RequestLog({ id }: { id: string }) {
  const { tokens } = useWords()
  const [onlyRefused, setOnlyRefused] = useState(false)
  const requests = useInfiniteQuery(tokenRequestsQuery(id, onlyRefused))
  const rows = requests.data?.pages.flatMap(({ data }) => data)
  return (
    <section className={list.section} aria-label={tokens.log}>
      <h3>
        {tokens.log}
        <label className={css.refusedOnly}>
          <Check checked={onlyRefused} onChange={(event) => setOnlyRefused(event.target.checked)} />{' '}
          {tokens.refusedOnly}
        </label>
      </h3>
      {requests.error && !rows ? (
        <Failure error={requests.error} onRetry={() => void requests.refetch()} />
      ) : rows === undefined ? (
        <SlowNotice />
      ) : rows.length === 0 ? (
        <p className={list.quiet}>{tokens.noRequests}</p>
      ) : (
        <ul className={css.log}>
          {rows.map((entry) => (
            <li key={entry.id}>
              <Entry entry={entry} />
            </li>
          ))}
        </ul>
      )}
      {requests.hasNextPage && (
        <Button isBusy={requests.isFetchingNextPage} onClick={() => void requests.fetchNextPage()}>
          {tokens.moreRequests}
        </Button>
      )}
      <p className={list.quiet}>{tokens.logNote}</p>
    </section>
  )
}

function Entry({ entry }: { entry: TokenRequestEntry }) {
  const { tokens, locale } = useWords()
  const { status, problems } = entry
  const isRefused = status >= 400
  const line = (
    <>
      <Time at={entry.at} as="exactClock" />
      <code>
        <b>{entry.method}</b> {entry.route.replace(/^\/api\/(?:operator\/)?v\d/, '')}
      </code>
      <span className={css.answered} data-tone={isRefused ? 'warn' : 'good'}>
        <StatusIcon shape={isRefused ? 'triangle' : 'check'} /> {status} {problems[0]?.code ?? ''}
      </span>
      <small>{tokens.took(entry.ms.toLocaleString(locale))}</small>
    </>
  )
  if (!isRefused) return <div className={css.entry}>{line}</div>
  return (
    <details className={css.refused}>
      <summary className={css.entry}>{line}</summary>
      <ul>
        {problems.map(({ code, pointer, detail }, index) => (
          <li key={index}>
            <code>{pointer ?? code}</code> {detail}
          </li>
        ))}
      </ul>
      <p>
        {tokens.requestId} <code>{entry.requestId}</code>
      </p>
    </details>
  )
}
