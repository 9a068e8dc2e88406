import { IconBan, IconClockPlus, IconDownload, IconSend } from '@tabler/icons-react'
import type { ListedOrder } from '../../api/masking.ts'
import { sendLink } from '../../api/orders.ts'
import type { OrderFilters } from '../../api/order-filters.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Keys } from '../../parts/Keys.tsx'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { isPossible, MOST_AT_ONCE, type BulkAction } from './bulk.ts'
import type { BulkTarget } from './BulkDialog.tsx'
import css from './orders.module.css'

interface Props {
  orders: ListedOrder[]
  /** The filter of the list, if all of its orders can be selected; how many there are, and whether they are. */
  all?: { filters: OrderFilters; total: number; isSelected: boolean } | undefined
  onAll: () => void
  onClear: () => void
  onExport: (orders: ListedOrder[]) => void
  onExportAll: () => void
  /** Asks before it is done. */
  onAct: (action: BulkAction, target: BulkTarget) => void
}

/** What can be done with the selected orders, or with all orders of the filter. */
export function BulkBar({ orders, all, onAll, onClear, onExport, onExportAll, onAct }: Props) {
  const words = useWords()
  const toasts = useToasts()
  const mayWrite = useMay('operator.orders.write')
  const filter = all?.isSelected ? all : undefined
  const possible = (each: BulkAction) => orders.filter((order) => isPossible(each, order))
  const canDo = (each: BulkAction) => mayWrite && (filter !== undefined || possible(each).length > 0)
  const act = (action: BulkAction) => onAct(action, filter ?? { orders })
  const linkable = possible('sendLink')
  const sendLinks = () => {
    if (filter) act('sendLink')
    else
      toasts.doLater({
        key: `links ${linkable.map(({ id }) => id).join(' ')}`,
        text: words.orders.sending(linkable.length),
        action: async (isLeaving) => {
          // One after the other, unless the page would be gone before the second.
          if (isLeaving) await Promise.all(linkable.map(({ id }) => sendLink(id)))
          else for (const { id } of linkable) await sendLink(id)
          toasts.tell(words.orders.linksSent(linkable.length))
        },
      })
  }
  const count = (filter?.total ?? orders.length).toLocaleString(words.locale)
  return (
    <div className={css.bulk} role="toolbar" aria-label={`${count} ${words.orders.selected}`}>
      <span className={css.bulkCount}>{count}</span>
      <b>{words.orders.selected}</b>
      {all && !filter && all.total > orders.length && all.total <= MOST_AT_ONCE && (
        <button type="button" className={css.bulkAll} onClick={onAll}>
          {words.bulk.all(all.total.toLocaleString(words.locale))} <Keys keys="shift+a" />
        </button>
      )}
      {all && !filter && all.total > MOST_AT_ONCE && (
        <span className={css.bulkNote}>{words.bulk.tooMany(MOST_AT_ONCE.toLocaleString(words.locale))}</span>
      )}
      <span className={css.bulkRule} />
      {canDo('sendLink') && (
        <Button icon={<IconSend size={15} />} onClick={sendLinks}>
          {words.orders.sendLinks}
        </Button>
      )}
      {canDo('extend') && (
        <Button icon={<IconClockPlus size={15} />} onClick={() => act('extend')}>
          {words.bulk.extend.open}
        </Button>
      )}
      <Button icon={<IconDownload size={15} />} onClick={() => (filter ? onExportAll() : onExport(orders))}>
        {words.orders.export}
      </Button>
      {canDo('cancel') && (
        <Button icon={<IconBan size={15} />} onClick={() => act('cancel')}>
          {words.orders.cancelMany(filter?.total ?? possible('cancel').length)}
        </Button>
      )}
      <span className={css.bulkRule} />
      <button type="button" className={css.bulkClear} onClick={onClear}>
        {words.actions.clear} <Keys keys="escape" />
      </button>
    </div>
  )
}
