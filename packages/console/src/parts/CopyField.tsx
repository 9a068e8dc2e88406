import { IconCopy } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { useWords } from '../languages/words.tsx'
import { Button } from './Button.tsx'
import css from './parts.module.css'

/** A value that is shown once, to be taken elsewhere. */
export function CopyField({ label, value, onCopied }: { label: string; value: string; onCopied?: () => void }) {
  const { tokens } = useWords()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    // Without a clipboard, which only secure pages have, the person copies what is selected.
    field.current?.select()
    await navigator.clipboard?.writeText(value)
    setCopied(true)
    onCopied?.()
  }
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      <div className={css.copyFrame}>
        <input ref={field} id={id} className={css.input} readOnly value={value} onCopy={onCopied} />
        <Button size="form" look="filled" data-autofocus icon={<IconCopy size={15} />} onClick={() => void copy()}>
          {tokens.copy}
        </Button>
      </div>
      <div className={css.fieldNote} role="status">
        {isCopied ? tokens.copied : ''}
      </div>
    </div>
  )
}
