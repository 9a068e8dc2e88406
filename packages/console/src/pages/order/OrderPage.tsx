import { Menu } from '@mantine/core'
import { IconCopy, IconDeviceMobile, IconDots, IconFileText, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { statusOf } from '../../api/failures.ts'
import { orderQuery, type ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Keys } from '../../parts/Keys.tsx'
import { Bone, Failure, SlowNotice } from '../../parts/States.tsx'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { TopBar, Trail, usePageTitle } from '../../shell/TopBar.tsx'
import { NotFoundPage } from '../NotFoundPage.tsx'
import { OrderActions, useOrderActions, type OpenedByLink } from './actions.tsx'
import { Booking } from './Booking.tsx'
import { Facts } from './Facts.tsx'
import { Matching } from './Matching.tsx'
import { Neighbors } from './Neighbors.tsx'
import { NextMoves } from './NextMoves.tsx'
import { Participant } from './Participant.tsx'
import { movesOf } from './rules.ts'
import { ServiceCard } from './ServiceCard.tsx'
import { Timeline } from './Timeline.tsx'
import css from './order.module.css'

export default function OrderPage() {
  const { code } = useParams({ from: '/signedIn/orders/$code' })
  const { open, resend } = useSearch({ from: '/signedIn/orders/$code' })
  const navigate = useNavigate({ from: '/orders/$code' })
  usePageTitle(code)
  const order = useQuery(orderQuery(code))
  if (order.data)
    return (
      <OrderActions
        read={order.data}
        first={isDialog(open) ? open : undefined}
        resend={resend}
        onClose={() => open !== undefined && void navigate({ search: {}, replace: true })}
      >
        <Order read={order.data} />
      </OrderActions>
    )
  if (statusOf(order.error) === 404) return <NotFoundPage />
  return (
    <>
      <Head code={code} />
      {order.error ? <Failure error={order.error} onRetry={() => void order.refetch()} /> : <Skeleton />}
    </>
  )
}

const DIALOGS: readonly OpenedByLink[] = ['book', 'extend', 'contact']
const isDialog = (name: string | undefined): name is OpenedByLink => DIALOGS.some((each) => each === name)

function Order({ read }: { read: ReadOrder }) {
  const words = useWords()
  const { services } = useOrderActions()
  return (
    <>
      <Head code={read.order.code} read={read} />
      <div className={css.page}>
        <Facts read={read} />
        <div className={css.columns}>
          <div className={css.main}>
            <h2 className={css.section}>
              {words.order.services} <small>{services.length}</small>
            </h2>
            {services.map((service) => (
              <ServiceCard key={service.shown.id} service={service} zone={read.timezone} />
            ))}
            <Timeline read={read} />
          </div>
          <aside className={css.aside} aria-label={words.order.nextMoves}>
            <NextMoves read={read} />
            <Booking read={read} />
            <Participant read={read} />
            <Requester read={read} />
            <Matching read={read} />
          </aside>
        </div>
        <MainAction />
      </div>
    </>
  )
}

/** What usually comes next, always in reach of the thumb on small screens. */
function MainAction() {
  const words = useWords()
  const { services, mayWrite, canBook, book, move, canSendLink, sendLinkAgain } = useOrderActions()
  const next = mayWrite ? services.find((service) => movesOf(service).steps.length > 0) : undefined
  const step = next && movesOf(next).steps[0]
  if (!canBook && !canSendLink && step === undefined) return null
  return (
    <footer className={css.mainBar}>
      {canBook ? (
        <Button look="filled" size="form" onClick={book}>
          {words.order.book}
        </Button>
      ) : next && step !== undefined ? (
        <Button look="filled" size="form" onClick={() => move(next, 'steps', step)}>
          {words.move.moveTo((words.statuses[step] ?? step).toLowerCase())}
        </Button>
      ) : null}
      {canSendLink && (
        <Button size="form" onClick={sendLinkAgain}>
          {words.order.sendLink}
        </Button>
      )}
    </footer>
  )
}

function Head({ code, read }: { code: string; read?: ReadOrder }) {
  const words = useWords()
  const title = (
    <>
      <code className={css.titleCode}>{code}</code> {read && <StatusMark status={read.order.status} isTag />}
    </>
  )
  return (
    <TopBar title={title} back={<Trail to="/orders" label={words.orders.title} />}>
      <Neighbors code={code} />
      {read && <HeadActions code={code} />}
    </TopBar>
  )
}

function HeadActions({ code }: { code: string }) {
  const words = useWords()
  const toasts = useToasts()
  const {
    cancel,
    canCancel,
    sendLinkAgain,
    canSendLink,
    extend,
    canExtend,
    changeContact,
    canChangeContact,
    viewAs,
    canViewAs,
    showDocuments,
    canReadDocuments,
  } = useOrderActions()
  const copy = () => void navigator.clipboard.writeText(code).then(() => toasts.tell(words.order.codeCopied))
  useShortcut('shift+c', copy)
  return (
    <>
      {canViewAs && (
        <Button
          className={css.roomy}
          icon={<IconDeviceMobile size={15} />}
          title={words.orderMore.viewNote}
          keys="shift+p"
          onClick={viewAs}
        >
          {words.orderMore.viewAs}
        </Button>
      )}
      {canReadDocuments && (
        <Button icon={<IconFileText size={15} />} keys="shift+d" onClick={showDocuments}>
          {words.documents.title}
        </Button>
      )}
      {canSendLink && (
        <Button icon={<IconSend size={15} />} keys="r" onClick={sendLinkAgain}>
          {words.order.sendLink}
        </Button>
      )}
      {canCancel && (
        <Button look="danger" onClick={cancel}>
          {words.order.cancelOrder}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button data-keep aria-label={words.order.moreActions} icon={<IconDots size={15} />} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconCopy size={15} />} onClick={copy}>
            {words.order.copyCode}
          </Menu.Item>
          {canViewAs && <Menu.Item onClick={viewAs}>{words.orderMore.viewAs}</Menu.Item>}
          {canReadDocuments && <Menu.Item onClick={showDocuments}>{words.documents.title}</Menu.Item>}
          {canSendLink && <Menu.Item onClick={sendLinkAgain}>{words.order.sendLink}</Menu.Item>}
          {canExtend && (
            <Menu.Item rightSection={<Keys keys="d" />} onClick={extend}>
              {words.today.extend.open}
            </Menu.Item>
          )}
          {canChangeContact && <Menu.Item onClick={changeContact}>{words.today.contact.open}</Menu.Item>}
          {canCancel && <Menu.Item onClick={cancel}>{words.order.cancelOrder}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

function Requester({ read: { requester } }: { read: ReadOrder }) {
  const words = useWords()
  return (
    <section className={css.side} aria-label={words.order.requester}>
      <h2>{words.order.requester}</h2>
      <p>{[requester.firstName, requester.lastName].join(' ')}</p>
      <p className={css.quiet}>{requester.email}</p>
    </section>
  )
}

function Skeleton() {
  return (
    <div className={css.page}>
      <div className={css.facts}>
        {Array.from({ length: 6 }, (_, index) => (
          <div key={index} className={css.factBones}>
            <Bone width={60} />
            <Bone width={120} />
            <Bone width={90} />
          </div>
        ))}
      </div>
      <div className={css.columns}>
        <div className={css.main}>
          {[0, 1].map((index) => (
            <div key={index} className={css.service}>
              <Bone width={220} />
              <Bone width="100%" height={46} />
            </div>
          ))}
          <SlowNotice />
        </div>
        <div className={css.aside} />
      </div>
    </div>
  )
}
