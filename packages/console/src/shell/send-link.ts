import { useCallback } from 'react'
import { sendLink } from '../api/orders.ts'
import { useWords } from '../languages/words.tsx'
import { useToasts } from './toasts.tsx'

/** Sends the link of an order again, once the time for Undo is over. */
export function useSendLink(): (orderId: string) => void {
  const { order } = useWords()
  const toasts = useToasts()
  return useCallback(
    (orderId: string) =>
      toasts.doLater({
        key: `link ${orderId}`,
        text: order.linkSending,
        action: async () => {
          await sendLink(orderId)
          toasts.tell(order.linkSent)
        },
      }),
    [toasts, order],
  )
}
