import type { FullToken } from '@order-testing/client/operator'
import { useWords, type Words } from '../../languages/words.tsx'
import { Tag } from '../../parts/Tag.tsx'
import * as times from '../../parts/times.ts'
import { isPersonal } from './scopes.ts'
import list from '../../shell/list.module.css'
import css from './tokens.module.css'

/** Each scope in one sentence with its use, so that unused ones can go. */
export function ScopesPart({ token: { use } }: { token: FullToken }) {
  const words = useWords()
  const { tokens, locale } = words
  const used = use.scopes.filter(({ requests }) => requests > 0).length
  return (
    <section className={list.section}>
      <h3>
        {tokens.scopes} <small>{tokens.scopesUsed(used, use.scopes.length)}</small>
      </h3>
      <ul className={css.scopes}>
        {use.scopes.map(({ scope, requests }) => (
          <li key={scope}>
            <code>{scope}</code>
            <span>
              {tokens.scopeMeanings[scope] ?? ''} {isPersonal(scope) && <Tag tone="warn">{tokens.personalData}</Tag>}
            </span>
            <span className={css.use}>
              {requests === 0 ? (
                <Tag tone="warn">{unusedText(words, use.since)}</Tag>
              ) : (
                tokens.requests(requests.toLocaleString(locale), requests)
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className={list.quiet}>{tokens.useNote}</p>
    </section>
  )
}

const DAY_MS = 86_400_000

/** Counting may have begun less than 30 days ago. */
function unusedText(words: Words, since: string): string {
  const first = new Date(`${since}T12:00:00`)
  const isWhole = Date.now() - first.getTime() > 28 * DAY_MS
  return isWhole ? words.tokens.unused : words.tokens.unusedSince(times.day(words, first))
}
