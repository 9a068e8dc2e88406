import { useQueryClient } from '@tanstack/react-query'
import type { FullResult } from '@order-testing/client/operator'
import { useState } from 'react'
import type { Candidate } from '../../api/candidates.ts'
import { assignResult, type Assignment } from '../../api/results.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { Check, TextArea } from '../../parts/Field.tsx'
import { isResult } from '../../parts/statuses.ts'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { useToasts } from '../../shell/toasts.tsx'
import css from './results.module.css'

interface Props {
  result: FullResult
  candidate: Candidate
  onClose: () => void
}

/** Says what will move before the report is applied: an assignment cannot be undone. */
export function AssignDialog({ result, candidate: { order, serviceId, comparison }, onClose }: Props) {
  const words = useWords()
  const [reason, setReason] = useState('')
  const { unknownCode } = result
  const [isRemembered, setRemembered] = useState(unknownCode !== null)
  const assign = useAssign(result, order.code, onClose)
  const service = order.services.find(({ id }) => id === serviceId)
  // Another result is a correction, which needs a reason.
  const isCorrection = service !== undefined && isResult(service.status)
  const isReady = !isCorrection || reason.trim() !== ''
  const confirm = () => assign.mutate({ serviceId, reason: reason.trim(), rememberCode: isRemembered })
  const differing = comparison.filter(({ verdict }) => verdict === 'differs')
  const from = words.statuses[service?.status ?? ''] ?? ''
  const to = words.statuses[result.event] ?? words.results.reportedResult
  return (
    <AskDialog
      title={words.results.assignTo(order.code)}
      subtitle={service?.name}
      onClose={onClose}
      onConfirm={confirm}
      leave={words.results.leave}
      confirm={words.results.assign}
      isReady={isReady}
      isBusy={assign.isPending}
      error={assign.error}
    >
      <p>{isCorrection ? words.results.willCorrect(from) : words.results.willMove(from, to)}</p>
      {differing.length > 0 && (
        <p className={css.problem}>
          {words.results.willDiffer(differing.map(({ field }) => words.results.compared[field]).join(', '))}
        </p>
      )}
      <p>{words.results.cannotUndo}</p>
      {unknownCode !== null && (
        <label className={css.remember}>
          <Check checked={isRemembered} onChange={(event) => setRemembered(event.target.checked)} />
          {words.results.codes.remember(unknownCode, result.sender.name ?? result.sender.id, service?.name ?? '')}
        </label>
      )}
      <TextArea
        label={isCorrection ? words.results.reason : `${words.results.reason} (${words.move.optional})`}
        data-autofocus
        maxLength={255}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </AskDialog>
  )
}

function useAssign({ id }: FullResult, code: string, onDone: () => void) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  return useDialogChange({
    send: (signal, assignment: Assignment) => assignResult(id, assignment, signal),
    onSuccess: async () => {
      onDone()
      toasts.tell(words.results.assigned(code))
      for (const key of ['results', 'result', 'orders', 'order', 'codes'])
        await queries.invalidateQueries({ queryKey: [key] })
    },
  })
}
