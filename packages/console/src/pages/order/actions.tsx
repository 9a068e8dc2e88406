import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'
import type { ReadOrder } from '../../api/orders.ts'
import { sendLink } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { isBeforeCheckIn, isClosed } from '../../parts/statuses.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { BookDialog, ClearDialog } from './BookDialog.tsx'
import { CancelDialog } from './CancelDialog.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { correctionsOf, movesOf, type MoveKind, type ServiceWithMoves } from './rules.ts'

type Opened =
  | { dialog: 'move'; service: ServiceWithMoves; kind: MoveKind; status?: string | undefined }
  | { dialog: 'cancel' | 'book' | 'clear' }

interface Actions {
  services: ServiceWithMoves[]
  mayWrite: boolean
  canBook: boolean
  canCancel: boolean
  canSendLink: boolean
  move: (service: ServiceWithMoves, kind: MoveKind, status?: string) => void
  cancel: () => void
  book: () => void
  clear: () => void
  sendLinkAgain: () => void
}

const Context = createContext<Actions | undefined>(undefined)

export function useOrderActions(): Actions {
  const actions = useContext(Context)
  if (!actions) throw new Error('Used outside an order.')
  return actions
}

/** What can be done to the order that is shown, by mouse and by key, and the dialogs for it. */
export function OrderActions({ read, children }: { read: ReadOrder; children: ReactNode }) {
  const [opened, setOpened] = useState<Opened>()
  const actions = useActions(read, setOpened)
  const isOpen = opened !== undefined
  useShortcut('b', actions.book, actions.canBook && !isOpen)
  useShortcut('r', actions.sendLinkAgain, actions.canSendLink && !isOpen)
  const movable = actions.services.find((service) => firstKind(service) !== undefined)
  useShortcut(
    'm',
    () => movable && actions.move(movable, firstKind(movable)!),
    movable !== undefined && actions.mayWrite && !isOpen,
  )
  const close = () => setOpened(undefined)
  return (
    <Context value={actions}>
      {children}
      {opened?.dialog === 'move' && <MoveDialog {...opened} read={read} onClose={close} />}
      {opened?.dialog === 'cancel' && <CancelDialog read={read} onClose={close} />}
      {opened?.dialog === 'book' && <BookDialog read={read} onClose={close} />}
      {opened?.dialog === 'clear' && <ClearDialog read={read} onClose={close} />}
    </Context>
  )
}

function firstKind(service: ServiceWithMoves): MoveKind | undefined {
  const moves = movesOf(service)
  if (moves.steps.length > 0) return 'steps'
  if (moves.results.length > 0) return 'results'
  return correctionsOf(service).length > 0 ? 'correction' : undefined
}

function useActions(read: ReadOrder, open: (opened: Opened) => void): Actions {
  const words = useWords()
  const toasts = useToasts()
  const mayWrite = useMay('operator.orders.write')
  return useMemo(() => {
    const { order } = read
    const services = order.services.flatMap((shown) => {
      const operator = read.services.find(({ id }) => id === shown.id)
      return operator ? [{ shown, operator }] : []
    })
    const awaits = mayWrite && !isClosed(order.status) && order.services.some(({ status }) => isBeforeCheckIn(status))
    return {
      services,
      mayWrite,
      canBook: awaits,
      canSendLink: awaits,
      canCancel: mayWrite && !isClosed(order.status),
      move: (service, kind, status) => open({ dialog: 'move', service, kind, status }),
      cancel: () => open({ dialog: 'cancel' }),
      book: () => open({ dialog: 'book' }),
      clear: () => open({ dialog: 'clear' }),
      sendLinkAgain: () =>
        toasts.doLater(words.order.linkSending, async () => {
          await sendLink(order.id)
          toasts.tell(words.order.linkSent)
        }),
    }
  }, [read, mayWrite, open, toasts, words])
}
