import { IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { notificationQuery, resendNotification } from '../../api/notifications.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { useToasts } from '../../shell/toasts.tsx'

/** Offers to send a notification again that did not arrive, after the contact was changed. */
export function ResendDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { notifications } = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const kind = useQuery(notificationQuery(id)).data?.kind
  const resend = useDialogChange({
    send: (signal) => resendNotification(id, signal),
    onSuccess: async () => {
      toasts.tell(notifications.resent)
      onClose()
      await queries.invalidateQueries({ queryKey: ['notifications'] })
      await queries.invalidateQueries({ queryKey: ['notification', id] })
    },
  })
  return (
    <AskDialog
      title={notifications.resendTitle}
      onClose={onClose}
      onConfirm={() => resend.mutate()}
      leave={notifications.resendLater}
      confirm={notifications.resend}
      icon={<IconRefresh size={15} />}
      isBusy={resend.isPending}
      error={resend.error}
    >
      <p>{notifications.resendAsk(kind === undefined ? '…' : (notifications.kinds[kind] ?? kind))}</p>
    </AskDialog>
  )
}
