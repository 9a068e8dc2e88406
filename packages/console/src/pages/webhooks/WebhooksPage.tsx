import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Delivery } from '@order-testing/client/operator'
import { deliveriesQuery, receiversQuery, type DeliveryFilters, type ReceiverSelection } from '../../api/webhooks.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Choice } from '../../parts/Field.tsx'
import { StatusIcon } from '../../parts/StatusMark.tsx'
import { Tag } from '../../parts/Tag.tsx'
import { Time } from '../../parts/Time.tsx'
import { Allowed } from '../../shell/Allowed.tsx'
import { ListTable, type Column } from '../../shell/ListTable.tsx'
import { TopBar, usePageTitle } from '../../shell/TopBar.tsx'
import { DeliveryPanel } from './DeliveryPanel.tsx'
import { Receivers } from './Receivers.tsx'
import list from '../../shell/list.module.css'
import css from './webhooks.module.css'

const STATES = ['waiting', 'held', 'delivered', 'failed'] as const
type State = (typeof STATES)[number]
const isState = (text: string | undefined): text is State => STATES.some((state) => state === text)

const SELECTIONS: readonly ReceiverSelection[] = ['attention', 'recent', 'v1']
const isSelection = (text: string | undefined): text is ReceiverSelection => SELECTIONS.some((each) => each === text)

export default function WebhooksPage() {
  const words = useWords()
  return (
    <Allowed title={words.webhooks.title} scope="operator.deliveries.read">
      <ReceiversAndDeliveries />
    </Allowed>
  )
}

function ReceiversAndDeliveries() {
  const words = useWords()
  usePageTitle(words.webhooks.title)
  const search = useSearch({ from: '/signedIn/webhooks' })
  const navigate = useNavigate({ from: '/webhooks' })
  const receivers = useInfiniteQuery(receiversQuery('attention'))
  const total = receivers.data?.pages[0]?.total
  const selection = isSelection(search.show) ? search.show : 'attention'
  const filters: DeliveryFilters = {
    ...(search.origin !== undefined && { origin: search.origin }),
    ...(search.order !== undefined && { order: search.order }),
    ...(isState(search.state) && { state: search.state }),
  }
  const query = useInfiniteQuery(deliveriesQuery(filters))
  const troubled = query.data?.pages.flatMap(({ data }) => data).filter(isTroubled).length ?? 0
  const change = (changes: Partial<Record<keyof typeof search, string | undefined>>) =>
    void navigate({ search: (now) => ({ ...now, ...changes }) as typeof now, replace: 'delivery' in changes })
  return (
    <>
      <TopBar
        title={words.webhooks.title}
        detail={total === undefined ? undefined : words.webhooks.attention(total, troubled)}
      />
      <div className={list.split}>
        <section className={`${list.list} ${css.page}`}>
          <div className={list.bar}>
            <Choice
              label={words.webhooks.show}
              value={selection}
              onChange={(show) => change({ show: show === 'attention' ? undefined : show })}
              options={SELECTIONS.map((show) => ({
                value: show,
                label: words.webhooks.shown[show],
                count: show === 'attention' ? total : undefined,
              }))}
            />
          </div>
          <Receivers
            selection={selection}
            chosen={search.origin}
            onChoose={(origin) => change({ origin, delivery: undefined })}
          />
          <div className={list.title}>
            <h2>{words.webhooks.deliveries}</h2>
            {search.origin !== undefined && (
              <>
                <code className={list.quiet}>{search.origin.replace(/^https?:\/\//, '')}</code>
                <Button look="bare" onClick={() => change({ origin: undefined })}>
                  {words.webhooks.all}
                </Button>
              </>
            )}
          </div>
          <div className={list.bar}>
            <Choice
              label={words.webhooks.deliveries}
              value={search.state ?? 'all'}
              onChange={(state) => change({ state: state === 'all' ? undefined : state, delivery: undefined })}
              options={(['all', ...STATES] as const).map((state) => ({
                value: state as string,
                label: words.webhooks.deliveryStates[state],
              }))}
            />
          </div>
          <div className={css.deliveries}>
            <ListTable
              label={words.webhooks.deliveries}
              query={query}
              columns={columnsOf(words)}
              idOf={({ id }) => id}
              opened={search.delivery}
              onOpen={(delivery) => change({ delivery })}
              empty={{ title: words.webhooks.noDeliveries, detail: words.webhooks.noDeliveriesDetail }}
            />
          </div>
        </section>
        {search.delivery !== undefined && (
          <DeliveryPanel key={search.delivery} id={search.delivery} onClose={() => change({ delivery: undefined })} />
        )}
      </div>
    </>
  )
}

/** Whether the last attempt failed, for good or until the next one. */
const isTroubled = ({ state, lastStatus, lastError }: Delivery) =>
  state === 'failed' || (state !== 'delivered' && (lastStatus !== null || lastError !== null))

export function Outcome({ delivery }: { delivery: Pick<Delivery, 'lastStatus' | 'lastError' | 'state'> }) {
  const words = useWords()
  const { lastStatus, lastError, state } = delivery
  if (lastStatus === null && lastError === null) return <span className={list.quiet}>{words.webhooks.notTried}</span>
  const isGood = state === 'delivered'
  return (
    <span className={css.outcome} data-tone={isGood ? 'good' : state === 'failed' ? 'bad' : 'warn'}>
      <StatusIcon shape={isGood ? 'check' : 'alert'} />
      {lastStatus ?? words.webhooks.errors[lastError ?? ''] ?? lastError}
    </span>
  )
}

function columnsOf({ webhooks: words, none }: Words): Column<Delivery>[] {
  return [
    {
      label: words.order,
      width: '92px',
      cell: ({ orderId, orderCode }) => (
        <Link to="/orders/$code" params={{ code: orderCode ?? orderId }} onClick={(event) => event.stopPropagation()}>
          {orderCode === null ? words.order : <code>{orderCode}</code>}
        </Link>
      ),
    },
    {
      label: words.event,
      width: 'minmax(0, 1fr)',
      isExtra: 'wide',
      cell: ({ eventId }) => <code className={list.quiet}>{`${eventId.slice(0, 9)}…${eventId.slice(-4)}`}</code>,
    },
    {
      label: words.receiver,
      width: 'minmax(0, 1.3fr)',
      isExtra: true,
      cell: ({ callbackOrigin }) => <code>{callbackOrigin.replace(/^https?:\/\//, '')}</code>,
    },
    { label: words.outcome, width: 'minmax(0, 1fr)', cell: (delivery) => <Outcome delivery={delivery} /> },
    {
      label: words.version,
      width: '54px',
      isExtra: 'wide',
      cell: ({ version }) => <Tag tone={version === 'v1' ? 'warn' : 'neutral'}>{version}</Tag>,
    },
    { label: words.attempts, width: '66px', isRight: true, isExtra: true, cell: ({ attempts }) => attempts },
    {
      label: words.lastAttempt,
      width: '88px',
      isRight: true,
      cell: ({ lastAttemptAt }) => (lastAttemptAt === null ? none : <Time at={lastAttemptAt} as="short" />),
    },
    {
      label: words.nextAttempt,
      width: '92px',
      isRight: true,
      isExtra: 'wide',
      cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? none : <Time at={nextAttemptAt} as="short" />),
    },
  ]
}
