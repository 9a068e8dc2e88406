import { IconAlertCircleFilled, IconCircleCheckFilled, IconX } from '@tabler/icons-react'
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useWords } from '../languages/words.tsx'
import { IconButton } from '../parts/Button.tsx'
import { Keys } from '../parts/Keys.tsx'
import { sentenceOf } from '../parts/sentences.ts'
import { useShortcut } from './keyboard.tsx'
import { PendingActions } from './pending.ts'
import { newestUndoable, withToast, type Toast } from './toast-list.ts'
import css from './toasts.module.css'

interface Toasts {
  tell: (text: string) => void
  warn: (text: string) => void
  /** Tells what was done, and takes it back if asked in time. Returns how the toast is withdrawn if it was not done. */
  tellUndoable: (text: string, onUndo: () => void) => () => void
  /** Does it when the time for Undo is over, or when the page is left; once, however often it is asked for. */
  doLater: (later: { key: string; text: string; action: (isLeaving: boolean) => Promise<unknown> }) => void
  /** Does now what waits for its time, and ends when it is done. */
  settle: () => Promise<void>
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
  const [pending] = useState(() => new PendingActions())
  const nextId = useRef(1)
  const remove = useCallback((id: number) => setShown((all) => all.filter((each) => each.id !== id)), [])
  const toasts = useMemo<Toasts>(() => {
    const add = (toast: Omit<Toast, 'id'>) => {
      const id = nextId.current++
      setShown((all) => withToast(all, { ...toast, id }))
      return id
    }
    const warn = (text: string) => void add({ text, tone: 'bad', left: 12 })
    return {
      tell: (text) => void add({ text, tone: 'good', left: 6 }),
      warn,
      tellUndoable: (text, onUndo) => {
        const id = add({ text, tone: 'good', left: UNDO_SECONDS, onUndo })
        return () => remove(id)
      },
      doLater: ({ key, text, action }) => {
        const waiting = pending.add(key, action, (error) => warn(sentenceOf(error, words)))
        if (waiting) add({ text, tone: 'good', left: UNDO_SECONDS, onUndo: waiting.cancel, onEnd: waiting.run })
      },
      settle: () => pending.runAll(),
    }
  }, [pending, remove, words])
  useRunOnLeave(pending, () => setShown((all) => all.filter(({ onEnd }) => onEnd === undefined)))
  const newest = newestUndoable(shown)
  const undo = (toast: Toast) => {
    toast.onUndo?.()
    remove(toast.id)
  }
  useShortcut('z', () => newest && undo(newest), newest !== undefined)
  return (
    <Context value={toasts}>
      {children}
      <div className={css.area} role="status" aria-live="polite">
        {shown.map((toast) => (
          <ToastLine key={toast.id} toast={toast} onEnd={() => remove(toast.id)}>
            {toast.onUndo && (
              <button type="button" className={css.undo} onClick={() => undo(toast)}>
                {words.actions.undo} {toast === newest && <Keys keys="z" />}
              </button>
            )}
          </ToastLine>
        ))}
      </div>
    </Context>
  )
}

/** Nobody can undo anything on a page that is gone, and a hidden one may go without notice. */
function useRunOnLeave(pending: PendingActions, onRun: () => void): void {
  const latest = useRef(onRun)
  useEffect(() => {
    latest.current = onRun
  })
  useEffect(() => {
    const run = (isLeaving: boolean) => {
      void pending.runAll({ isLeaving })
      latest.current()
    }
    const onPageHide = () => run(true)
    const onHidden = () => document.visibilityState === 'hidden' && run(false)
    const onBeforeUnload = (event: BeforeUnloadEvent) => pending.isUnderWay && event.preventDefault()
    window.addEventListener('pagehide', onPageHide)
    window.addEventListener('beforeunload', onBeforeUnload)
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      window.removeEventListener('pagehide', onPageHide)
      window.removeEventListener('beforeunload', onBeforeUnload)
      document.removeEventListener('visibilitychange', onHidden)
      void pending.runAll()
    }
  }, [pending])
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
