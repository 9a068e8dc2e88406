import { IconAlertCircleFilled, IconCircleCheckFilled, IconX } from '@tabler/icons-react'
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useWords } from '../languages/words.tsx'
import { IconButton } from '../parts/Button.tsx'
import { Keys } from '../parts/Keys.tsx'
import { useShortcut } from './keyboard.tsx'
import css from './toasts.module.css'

interface Toast {
  id: number
  text: string
  tone: 'good' | 'bad'
  /** Seconds until it goes. */
  left: number
  onUndo?: (() => void) | undefined
  onEnd?: (() => void) | undefined
}

interface Toasts {
  tell: (text: string) => void
  warn: (text: string) => void
  /** Tells what was done, and takes it back if asked in time. */
  tellUndoable: (text: string, onUndo: () => void) => void
  /** Does it when the time for Undo is over, or when the page is left. */
  doLater: (text: string, action: () => Promise<unknown>) => void
}

const UNDO_SECONDS = 10
const Context = createContext<Toasts | undefined>(undefined)

export function useToasts(): Toasts {
  const toasts = useContext(Context)
  if (!toasts) throw new Error('Toasts are shown inside the shell only.')
  return toasts
}

export function ToastArea({ children }: { children: ReactNode }) {
  const words = useWords()
  const [shown, setShown] = useState<Toast[]>([])
  const nextId = useRef(1)
  const add = useCallback((toast: Omit<Toast, 'id'>) => {
    const id = nextId.current++
    setShown((all) => [...all.slice(-2), { ...toast, id }])
    return id
  }, [])
  const remove = useCallback((id: number) => setShown((all) => all.filter((each) => each.id !== id)), [])
  const toasts = useMemo<Toasts>(() => {
    const warn = (text: string) => void add({ text, tone: 'bad', left: 12 })
    return {
      tell: (text) => void add({ text, tone: 'good', left: 6 }),
      warn,
      tellUndoable: (text, onUndo) => void add({ text, tone: 'good', left: UNDO_SECONDS, onUndo }),
      doLater: (text, action) => {
        const pending = defer(action, (error) => warn(error instanceof Error ? error.message : String(error)))
        add({ text, tone: 'good', left: UNDO_SECONDS, onUndo: pending.cancel, onEnd: pending.run })
      },
    }
  }, [add])
  const last = shown.findLast(({ onUndo }) => onUndo !== undefined)
  const undo = (toast: Toast) => {
    toast.onUndo?.()
    remove(toast.id)
  }
  useShortcut('z', () => last && undo(last), last !== undefined)
  return (
    <Context value={toasts}>
      {children}
      <div className={css.area} role="status" aria-live="polite">
        {shown.map((toast) => (
          <ToastLine key={toast.id} toast={toast} onEnd={() => remove(toast.id)}>
            {toast.onUndo && (
              <button type="button" className={css.undo} onClick={() => undo(toast)}>
                {words.actions.undo} <Keys keys="z" />
              </button>
            )}
          </ToastLine>
        ))}
      </div>
    </Context>
  )
}

/** Counts down, except while the pointer or the focus is on it. */
function ToastLine({ toast, onEnd, children }: { toast: Toast; onEnd: () => void; children: ReactNode }) {
  const words = useWords()
  const [left, setLeft] = useState(toast.left)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1000)
    return () => clearInterval(timer)
  }, [isHeld])
  useEffect(() => {
    if (left > 0) return
    toast.onEnd?.()
    onEnd()
  }, [left, toast, onEnd])
  const Icon = toast.tone === 'good' ? IconCircleCheckFilled : IconAlertCircleFilled
  return (
    <div
      className={css.toast}
      data-tone={toast.tone}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={17} className={css.icon} />
      <span>{toast.text}</span>
      {children}
      {toast.onUndo && (
        <span className={css.left} aria-hidden="true">
          {left} s
        </span>
      )}
      <IconButton
        label={words.actions.close}
        onClick={() => {
          toast.onEnd?.()
          onEnd()
        }}
      >
        <IconX size={14} />
      </IconButton>
    </div>
  )
}

function defer(action: () => Promise<unknown>, onFailure: (error: unknown) => void) {
  let isOpen = true
  const close = () => {
    isOpen = false
    document.removeEventListener('visibilitychange', onHidden)
  }
  const run = () => {
    if (!isOpen) return
    close()
    void action().catch(onFailure)
  }
  const onHidden = () => {
    if (document.visibilityState === 'hidden') run()
  }
  document.addEventListener('visibilitychange', onHidden)
  return { run, cancel: close }
}
