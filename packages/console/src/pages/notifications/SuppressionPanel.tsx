import { IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Suppression } from '@order-testing/client/operator'
import { useState } from 'react'
import { removeSuppression } from '../../api/notifications.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import { Check } from '../../parts/Field.tsx'
import { Time } from '../../parts/Time.tsx'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { SidePanel } from '../../shell/ListTable.tsx'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import list from '../../shell/list.module.css'
import css from './notifications.module.css'

export function SuppressionPanel({ suppression, onClose }: { suppression: Suppression; onClose: () => void }) {
  const words = useWords()
  const { notifications } = words
  const texts = notifications.suppressions
  const mayWrite = useMay('operator.messages.write')
  const [isRemoving, setRemoving] = useState(false)
  const { address, channel, reason, messageId, createdAt } = suppression
  return (
    <SidePanel
      label={texts.entry}
      head={
        <>
          <h2>{address}</h2>
          <span className={list.space} />
          <IconButton label={words.actions.close} onClick={onClose}>
            <IconX size={16} />
          </IconButton>
          <p>{texts.meanings[reason]}</p>
        </>
      }
      foot={
        mayWrite ? (
          <Button size="form" look="danger" onClick={() => setRemoving(true)}>
            {texts.remove}
          </Button>
        ) : undefined
      }
    >
      <section className={list.section}>
        <dl className={list.pairs}>
          <dt>{notifications.channel}</dt>
          <dd>{notifications.channels[channel] ?? channel}</dd>
          <dt>{texts.reason}</dt>
          <dd>{texts.reasons[reason] ?? reason}</dd>
          <dt>{texts.since}</dt>
          <dd>
            <Time at={createdAt} />
          </dd>
          {messageId !== null && (
            <>
              <dt>{texts.notification}</dt>
              <dd>
                <Link to="/notifications" search={{ notification: messageId }}>
                  {texts.openNotification}
                </Link>
              </dd>
            </>
          )}
        </dl>
      </section>
      {isRemoving && <RemoveDialog suppression={suppression} onClose={() => setRemoving(false)} onRemoved={onClose} />}
    </SidePanel>
  )
}

interface RemoveProps {
  suppression: Suppression
  onClose: () => void
  onRemoved: () => void
}

/** Somebody who opted out or complained must have asked to be written to again. */
function RemoveDialog({ suppression: { id, address, reason }, onClose, onRemoved }: RemoveProps) {
  const words = useWords()
  const texts = words.notifications.suppressions
  const toasts = useToasts()
  const queries = useQueryClient()
  const mustAsk = reason !== 'hardBounce'
  const [hasAsked, setHasAsked] = useState(false)
  const remove = useDialogChange({
    send: (signal) => removeSuppression(id, signal),
    onSuccess: async () => {
      onRemoved()
      toasts.tell(texts.removed(address))
      await queries.invalidateQueries({ queryKey: ['suppressions'] })
    },
  })
  return (
    <AskDialog
      title={texts.removeTitle}
      subtitle={address}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      leave={texts.keep}
      confirm={texts.confirm}
      look="dangerFilled"
      isReady={!mustAsk || hasAsked}
      isBusy={remove.isPending}
      error={remove.error}
    >
      <p>
        {texts.meanings[reason]} {texts.effect} {mustAsk ? texts.onlyIfAsked : texts.again}
      </p>
      {mustAsk && (
        <label className={css.asked}>
          <Check data-autofocus checked={hasAsked} onChange={(event) => setHasAsked(event.target.checked)} />
          {texts.hasAsked}
        </label>
      )}
    </AskDialog>
  )
}
