import type { ComponentProps, ReactNode } from 'react'
import { useWords } from '../languages/words.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { sentenceOf } from './States.tsx'
import css from './parts.module.css'

interface Props extends Omit<ComponentProps<typeof Dialog>, 'footer' | 'onConfirm'> {
  /** What the buttons say. */
  leave: string
  confirm: string
  onConfirm: () => void
  /** Whether everything is filled in. */
  isReady?: boolean
  isBusy?: boolean
  /** Why it was refused. */
  error?: unknown
  /** The same in words, where parts of it stand beside fields. */
  refusal?: string | undefined
  /** What is missing, while nothing was refused. */
  hint?: string | undefined
  look?: 'filled' | 'dangerFilled'
  icon?: ReactNode
}

/** A dialog that is left unchanged or confirmed, by button and by key. It says why the service refused. */
export function AskDialog({
  leave,
  confirm,
  onConfirm,
  isReady = true,
  isBusy = false,
  error,
  refusal,
  hint = '',
  look = 'filled',
  icon,
  ...rest
}: Props) {
  const words = useWords()
  const run = () => {
    if (isReady && !isBusy) onConfirm()
  }
  return (
    <Dialog
      {...rest}
      onConfirm={run}
      footer={
        <>
          <span role="alert" className={error ? css.refusal : undefined}>
            {error ? (refusal ?? sentenceOf(error, words)) : hint}
          </span>
          <Button size="form" keys="escape" onClick={rest.onClose}>
            {leave}
          </Button>
          <Button
            size="form"
            look={look}
            icon={icon}
            keys="mod+enter"
            disabled={!isReady}
            isBusy={isBusy}
            onClick={run}
          >
            {confirm}
          </Button>
        </>
      }
    />
  )
}
