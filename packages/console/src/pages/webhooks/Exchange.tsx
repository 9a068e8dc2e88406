import { IconTerminal2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { FullDelivery } from '@order-testing/client/operator'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Time } from '../../parts/Time.tsx'
import * as times from '../../parts/times.ts'
import { useToasts } from '../../shell/toasts.tsx'
import { curlOf } from './curl.ts'
import list from '../../shell/list.module.css'
import css from './webhooks.module.css'

type Attempt = FullDelivery['log'][number]

/** What an attempt sent: address, headers and body, without secrets. */
export function RequestPart({ delivery, attempt }: { delivery: FullDelivery; attempt: Attempt | undefined }) {
  const words = useWords()
  const toasts = useToasts()
  const { webhooks } = words
  const { request } = delivery
  const headers = Object.entries(attempt?.headers ?? {})
  const copy = () =>
    void navigator.clipboard
      .writeText(curlOf({ ...request, headers: attempt?.headers ?? {} }))
      .then(() => toasts.tell(webhooks.curlCopied))
  const wasChanged = request.changedAt !== null && attempt !== undefined && attempt.at < request.changedAt
  return (
    <section className={list.section}>
      <h3>
        {webhooks.request}
        <small>
          <Button look="bare" icon={<IconTerminal2 size={15} />} onClick={copy}>
            {webhooks.copyCurl}
          </Button>
        </small>
      </h3>
      <p className={list.quiet}>{webhooks.removedNote}</p>
      <pre className={list.code}>{`${request.method} ${request.target}`}</pre>
      {headers.length > 0 && (
        <dl className={css.headers} aria-label={webhooks.headers}>
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {wasChanged && (
        <p className={list.quiet}>{webhooks.changedNote(times.moment(words, new Date(request.changedAt!)))}</p>
      )}
      {request.body === null ? (
        <p className={list.quiet}>{webhooks.bodyDeleted}</p>
      ) : (
        <pre className={list.code} aria-label={webhooks.body}>
          {indented(request.body)}
        </pre>
      )}
      <dl className={list.pairs}>
        <dt>{webhooks.order}</dt>
        <dd>
          <Link to="/orders/$code" params={{ code: delivery.orderId }}>
            <code>{delivery.orderId}</code>
          </Link>
        </dd>
        <dt>{webhooks.version}</dt>
        <dd>{delivery.version}</dd>
      </dl>
    </section>
  )
}

/** What the receiver answered to an attempt, as far as it is kept. */
export function AnswerPart({ attempt }: { attempt: Attempt }) {
  const { webhooks, locale } = useWords()
  const { status, error, detail, excerpt, at, ms } = attempt
  const outcome = status ?? webhooks.errors[error ?? ''] ?? error
  return (
    <section className={list.section}>
      <h3>
        {webhooks.answer}
        <small>
          <b>{outcome}</b> · <Time at={at} as="exactClock" /> · {webhooks.took(ms.toLocaleString(locale))}
        </small>
      </h3>
      <pre className={list.code}>{excerpt || detail || (status === null ? webhooks.noAnswer : webhooks.emptyBody)}</pre>
      <p className={list.quiet}>{webhooks.keptNote}</p>
    </section>
  )
}

/** Events are JSON; anything else is shown as it is. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
