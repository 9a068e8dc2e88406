import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { orderQuery } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { IconButton } from '../../parts/Button.tsx'
import { Keys } from '../../parts/Keys.tsx'
import { Bone, Failure, SlowNotice } from '../../parts/States.tsx'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { OrderActions } from '../order/actions.tsx'
import { Booking } from '../order/Booking.tsx'
import { NextMoves } from '../order/NextMoves.tsx'
import { Participant } from '../order/Participant.tsx'
import { PanelHistory, PanelServices } from '../order/PanelParts.tsx'
import parts from '../../parts/parts.module.css'
import css from './orders.module.css'

/** The order beside the list. */
export function OrderPanel({
  code,
  list,
  onClose,
}: {
  code: string
  /** The filters of the list; undefined for a search. */
  list: string | undefined
  onClose: () => void
}) {
  const words = useWords()
  const order = useQuery(orderQuery(code))
  const [width, setWidth] = usePanelWidth()
  return (
    <aside
      className={css.panel}
      style={{ '--panel': `${width}px` } as React.CSSProperties}
      aria-label={words.orders.panel}
    >
      <Grip width={width} onChange={setWidth} label={words.orders.panel} />
      <header className={css.panelHead}>
        <h2>{code}</h2>
        {order.data && <StatusMark status={order.data.order.status} isTag />}
        <span className={css.panelSpace} />
        <Link
          to="/orders/$code"
          params={{ code }}
          {...(list !== undefined && { state: { list } })}
          className={parts.button}
        >
          {words.orders.openPage} <Keys keys="o" />
        </Link>
        <IconButton label={words.actions.close} onClick={onClose}>
          <IconX size={16} />
        </IconButton>
        {order.data && (
          <p className={css.panelPlace}>
            {[order.data.order.company?.name, order.data.order.location?.name].filter(Boolean).join(' · ')}
            <br />
            {order.data.order.packages.map(({ name }) => name).join(', ')}
          </p>
        )}
      </header>
      <div className={css.panelScroll}>
        {order.data ? (
          <OrderActions read={order.data}>
            <PanelServices />
            <NextMoves read={order.data} />
            <Booking read={order.data} />
            <Participant read={order.data} />
            <PanelHistory read={order.data} />
          </OrderActions>
        ) : order.error ? (
          <Failure error={order.error} onRetry={() => void order.refetch()} />
        ) : (
          <div className={css.skeleton}>
            {[160, 220, 190, 240, 130].map((bone) => (
              <div key={bone} className={css.skeletonRow}>
                <Bone width={bone} />
              </div>
            ))}
            <SlowNotice />
          </div>
        )}
      </div>
    </aside>
  )
}

const KEY = 'ots.panel'
const [LEAST, MOST] = [340, 470]
const within = (width: number) => Math.min(MOST, Math.max(LEAST, width))

function usePanelWidth(): [number, (width: number) => void] {
  const [width, setWidth] = useState(() => within(Number(localStorage.getItem(KEY) ?? 380)))
  return [
    width,
    (next) => {
      localStorage.setItem(KEY, String(within(next)))
      setWidth(within(next))
    },
  ]
}

/** Changes the width by dragging, or by the arrow keys. */
function Grip({ width, onChange, label }: { width: number; onChange: (width: number) => void; label: string }) {
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      className={css.grip}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onChange(window.innerWidth - event.clientX)
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') onChange(width + 10)
        if (event.key === 'ArrowRight') onChange(width - 10)
      }}
    />
  )
}
