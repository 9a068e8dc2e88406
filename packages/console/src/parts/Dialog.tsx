import { Modal } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWords } from '../languages/words.tsx'
import { IconButton } from './Button.tsx'
import { useFocusReturn } from './focus.ts'
import css from './parts.module.css'

interface Props {
  title: string
  subtitle?: ReactNode
  onClose: () => void
  /** Confirms with ⌘Enter as well. */
  onConfirm?: (() => void) | undefined
  footer: ReactNode
  /** What will change, at the right. */
  aside?: ReactNode
  size?: number
  children: ReactNode
}

/** Traps the focus and returns it. The shell never scrolls, so nothing has to be locked. */
export function Dialog({ title, subtitle, onClose, onConfirm, footer, aside, size = 520, children }: Props) {
  const words = useWords()
  useFocusReturn()
  return (
    <Modal.Root
      opened
      onClose={onClose}
      classNames={{ content: css.dialog!, overlay: css.shade! }}
      radius={12}
      size={size}
      centered
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) onConfirm?.()
      }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className={css.dialogHead}>
          <div>
            <Modal.Title className={css.dialogTitle}>{title}</Modal.Title>
            {subtitle !== undefined && <div className={css.dialogSubtitle}>{subtitle}</div>}
          </div>
          <IconButton label={words.actions.close} onClick={onClose}>
            <IconX size={16} />
          </IconButton>
        </div>
        <div className={css.dialogBody}>
          <div className={css.dialogMain}>{children}</div>
          {aside !== undefined && <div className={css.dialogAside}>{aside}</div>}
        </div>
        <div className={css.dialogFoot}>{footer}</div>
      </Modal.Content>
    </Modal.Root>
  )
}
