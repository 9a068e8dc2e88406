import { useEffect, useRef, useState } from 'react'
import { waitOf } from '../../api/failures.ts'
import { exportOrders } from '../../api/orders.ts'
import type { OrderFilters } from '../../api/order-filters.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { download } from '../../parts/download.ts'
import { sentenceOf } from '../../parts/States.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { withPatience } from './bulk.ts'
import { exportAll } from './export.ts'
import { Progress } from './Progress.tsx'

/** Reads all orders of a filter into a file, with a way to stop. */
export function ExportDialog({
  filters,
  total,
  onClose,
}: {
  filters: OrderFilters
  total: number
  onClose: () => void
}) {
  const words = useWords()
  const toasts = useToasts()
  const [read, setRead] = useState(0)
  const [failure, setFailure] = useState<unknown>()
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => {
    // Begun once, also where React runs effects twice.
    if (stopping.current) return
    const { signal } = (stopping.current = new AbortController())
    let count = 0
    const onProgress = (now: number) => setRead((count = now))
    const readPart: Parameters<typeof exportAll>[0] = async (part) =>
      (await withPatience(() => exportOrders({ ...filters, ...part }), { signal, waitOf })).text()
    exportAll(readPart, { signal, onProgress }).then((file) => {
      if (file) {
        download('orders.csv', file)
        toasts.tell(words.orders.exported(count))
      } else toasts.tell(words.exporting.stopped)
      onClose()
    }, setFailure)
  }, [filters, onClose, toasts, words])
  const stop = () => {
    stopping.current?.abort()
    if (failure !== undefined) onClose()
  }
  return (
    <Dialog
      title={words.exporting.title}
      onClose={stop}
      footer={
        <Button size="form" keys="escape" onClick={stop}>
          {failure === undefined ? words.bulk.stop : words.actions.close}
        </Button>
      }
    >
      {failure === undefined ? (
        <Progress text={words.exporting.reading} done={read} of={Math.max(total, read)} />
      ) : (
        <p role="alert">{sentenceOf(failure, words)}</p>
      )}
    </Dialog>
  )
}
