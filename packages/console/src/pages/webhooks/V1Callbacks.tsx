import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { v1CallbacksQuery } from '../../api/webhooks.ts'
import { useWords } from '../../languages/words.tsx'
import { sentenceOf } from '../../parts/States.tsx'
import { Time } from '../../parts/Time.tsx'
import { totalText } from '../../parts/totals.ts'
import css from './webhooks.module.css'

/** The registrations of a receiver that still use v1, the newest of them. */
export function V1Callbacks({ origin }: { origin: string }) {
  const words = useWords()
  const { webhooks, none } = words
  const callbacks = useQuery(v1CallbacksQuery(origin))
  const { data } = callbacks
  return (
    <details className={css.twin}>
      <summary>
        {webhooks.v1Callbacks}
        {data && ` · ${webhooks.v1Counted(totalText(data, words))}`}
      </summary>
      {callbacks.error && <p role="alert">{sentenceOf(callbacks.error, words)}</p>}
      {data && data.total === 0 && <p>{webhooks.v1None}</p>}
      {data && data.total > 0 && (
        <>
          <p>{webhooks.v1Note}</p>
          <table>
            <thead>
              <tr>
                <th scope="col">{webhooks.order}</th>
                <th scope="col">{webhooks.token}</th>
                <th scope="col">{webhooks.registered}</th>
              </tr>
            </thead>
            <tbody>
              {data.data.map(({ id, orderId, registeredBy, changedBy, createdAt }) => (
                <tr key={id}>
                  <th scope="row">
                    <Link to="/orders/$code" params={{ code: orderId }}>
                      <code>{orderId}</code>
                    </Link>
                  </th>
                  <td>
                    <code>{changedBy ?? registeredBy ?? none}</code>
                  </td>
                  <td>
                    <Time at={createdAt} as="short" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </details>
  )
}
