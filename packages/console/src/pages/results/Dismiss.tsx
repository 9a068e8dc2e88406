import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dismissResult } from '../../api/results.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { TextArea } from '../../parts/Field.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'

/** Asks for the reason. Within 10 seconds it can be undone. */
export function Dismiss({ id, onDone }: { id: string; onDone: () => void }) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const mayWrite = useMay('operator.results.write')
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  useShortcut('d', () => setOpen(true), mayWrite && !isOpen)
  if (!mayWrite) return null
  const confirm = () => {
    setOpen(false)
    onDone()
    toasts.doLater({
      key: `dismiss ${id}`,
      text: words.results.dismissing,
      action: async () => {
        await dismissResult(id, reason.trim())
        toasts.tell(words.results.dismissed)
        await queries.invalidateQueries({ queryKey: ['results'] })
      },
    })
  }
  return (
    <>
      <Button keys="d" onClick={() => setOpen(true)}>
        {words.results.dismiss}
      </Button>
      {isOpen && (
        <AskDialog
          title={words.results.dismissTitle}
          onClose={() => setOpen(false)}
          onConfirm={confirm}
          leave={words.results.keep}
          confirm={words.results.dismiss.replace('…', '')}
          isReady={reason.trim() !== ''}
        >
          <p>{words.results.dismissNote}</p>
          <TextArea
            label={words.results.reason}
            data-autofocus
            maxLength={255}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </AskDialog>
      )}
    </>
  )
}
