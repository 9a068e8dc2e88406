import { IconBan, IconDownload, IconSend } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedOrder } from '../../api/masking.ts'
import { cancelOrder, sendLink } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { TextArea, TextField } from '../../parts/Field.tsx'
import { Keys } from '../../parts/Keys.tsx'
import { isBeforeCheckIn, isClosed } from '../../parts/statuses.ts'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import css from './orders.module.css'

interface Props {
  orders: ListedOrder[]
  onClear: () => void
  onExport: (orders: ListedOrder[]) => void
  /** What stays selected: the orders that could not be cancelled. */
  onKeep: (ids: string[]) => void
}

/** What can be done with the selected orders. */
export function BulkBar({ orders, onClear, onExport, onKeep }: Props) {
  const words = useWords()
  const toasts = useToasts()
  const mayWrite = useMay('operator.orders.write')
  const [isCancelling, setCancelling] = useState(false)
  const linkable = orders.filter(({ services }) => services.some(({ status }) => isBeforeCheckIn(status)))
  const open = orders.filter(({ status }) => !isClosed(status))
  const sendLinks = () =>
    toasts.doLater(words.orders.sending(linkable.length), async () => {
      for (const { id } of linkable) await sendLink(id)
      toasts.tell(words.orders.linksSent(linkable.length))
    })
  return (
    <div className={css.bulk} role="toolbar" aria-label={`${orders.length} ${words.orders.selected}`}>
      <span className={css.bulkCount}>{orders.length}</span>
      <b>{words.orders.selected}</b>
      <span className={css.bulkRule} />
      {mayWrite && linkable.length > 0 && (
        <Button icon={<IconSend size={15} />} onClick={sendLinks}>
          {words.orders.sendLinks}
        </Button>
      )}
      <Button icon={<IconDownload size={15} />} onClick={() => onExport(orders)}>
        {words.orders.export}
      </Button>
      {mayWrite && open.length > 0 && (
        <Button icon={<IconBan size={15} />} onClick={() => setCancelling(true)}>
          {words.orders.cancelMany(open.length)}
        </Button>
      )}
      <span className={css.bulkRule} />
      <button type="button" className={css.bulkClear} onClick={onClear}>
        {words.actions.clear} <Keys keys="escape" />
      </button>
      {isCancelling && <CancelMany orders={open} onClose={() => setCancelling(false)} onKeep={onKeep} />}
    </div>
  )
}

function CancelMany({
  orders,
  onClose,
  onKeep,
}: {
  orders: ListedOrder[]
  onClose: () => void
  onKeep: (ids: string[]) => void
}) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const isReady = typed.trim() === String(orders.length) && reason.trim() !== ''
  const confirm = async () => {
    if (!isReady || isBusy) return
    setBusy(true)
    const outcomes = await Promise.allSettled(orders.map(({ id }) => cancelOrder(id, reason.trim())))
    const refused = orders.filter((_, index) => outcomes[index]!.status === 'rejected')
    await queries.invalidateQueries({ queryKey: ['orders'] })
    if (refused.length < orders.length) toasts.tell(words.orders.cancelled(orders.length - refused.length))
    if (refused.length > 0) toasts.warn(words.orders.someRefused(refused.length))
    onKeep(refused.map(({ id }) => id))
    onClose()
  }
  return (
    <Dialog
      title={words.orders.cancelTitle(orders.length)}
      subtitle={orders
        .slice(0, 6)
        .map(({ code }) => code)
        .join(' · ')}
      onClose={onClose}
      onConfirm={() => void confirm()}
      footer={
        <>
          <Button size="form" keys="escape" onClick={onClose}>
            {words.orders.keep}
          </Button>
          <Button
            size="form"
            look="dangerFilled"
            keys="mod+enter"
            disabled={!isReady}
            isBusy={isBusy}
            onClick={() => void confirm()}
          >
            {words.orders.cancelTitle(orders.length)}
          </Button>
        </>
      }
    >
      <p>{words.cancel.effect}</p>
      <TextArea
        label={words.cancel.reason}
        data-autofocus
        maxLength={255}
        value={reason}
        note={words.move.reasonNote}
        onChange={(event) => setReason(event.target.value)}
      />
      <TextField
        label={words.orders.cancelCount(orders.length)}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Dialog>
  )
}
