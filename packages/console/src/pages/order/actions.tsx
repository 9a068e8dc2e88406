import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'
import type { ReadOrder } from '../../api/orders.ts'
import { viewAsParticipant } from '../../api/documents.ts'
import { useWords } from '../../languages/words.tsx'
import { sentenceOf } from '../../parts/States.tsx'
import { isBeforeCheckIn, isClosed } from '../../parts/statuses.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useSendLink } from '../../shell/send-link.ts'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { BookDialog, ClearDialog } from './BookDialog.tsx'
import { CancelDialog } from './CancelDialog.tsx'
import { ContactDialog } from './ContactDialog.tsx'
import { DocumentsDialog } from './DocumentsDialog.tsx'
import { ExtendDialog } from './ExtendDialog.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { ResendDialog } from './ResendDialog.tsx'
import { correctionsOf, movesOf, type MoveKind, type ServiceWithMoves } from './rules.ts'

/** The dialogs that the address of an order can open. */
export type OpenedByLink = 'book' | 'extend' | 'contact'

type Opened =
  | { dialog: 'move'; service: ServiceWithMoves; kind: MoveKind; status?: string | undefined }
  | { dialog: 'cancel' | OpenedByLink | 'clear' | 'documents' | 'resend' }

interface Actions {
  services: ServiceWithMoves[]
  mayWrite: boolean
  canBook: boolean
  canCancel: boolean
  canSendLink: boolean
  canExtend: boolean
  canChangeContact: boolean
  move: (service: ServiceWithMoves, kind: MoveKind, status?: string) => void
  cancel: () => void
  book: () => void
  clear: () => void
  extend: () => void
  changeContact: () => void
  sendLinkAgain: () => void
  canViewAs: boolean
  canReadDocuments: boolean
  /** Opens the participant's page beside the console. */
  viewAs: () => void
  showDocuments: () => void
}

const Context = createContext<Actions | undefined>(undefined)

export function useOrderActions(): Actions {
  const actions = useContext(Context)
  if (!actions) throw new Error('Used outside an order.')
  return actions
}

/** What can be done to the order that is shown, by mouse and by key, and the dialogs for it. */
export function OrderActions({
  read,
  first,
  resend,
  onClose,
  children,
}: {
  read: ReadOrder
  /** What is open at first. */
  first?: OpenedByLink | undefined
  /** A notification to resend once the contact was changed. */
  resend?: string | undefined
  onClose?: () => void
  children: ReactNode
}) {
  const [opened, setOpened] = useState<Opened | undefined>(first && { dialog: first })
  const actions = useActions(read, setOpened)
  const isOpen = opened !== undefined
  useShortcut('b', actions.book, actions.canBook && !isOpen)
  useShortcut('d', actions.extend, actions.canExtend && !isOpen)
  useShortcut('shift+p', actions.viewAs, actions.canViewAs && !isOpen)
  useShortcut('shift+d', actions.showDocuments, actions.canReadDocuments && !isOpen)
  useShortcut('r', actions.sendLinkAgain, actions.canSendLink && !isOpen)
  const movable = actions.services.find((service) => firstKind(service) !== undefined)
  useShortcut(
    'm',
    () => movable && actions.move(movable, firstKind(movable)!),
    movable !== undefined && actions.mayWrite && !isOpen,
  )
  const close = () => {
    setOpened(undefined)
    onClose?.()
  }
  return (
    <Context value={actions}>
      {children}
      {opened?.dialog === 'move' && <MoveDialog {...opened} read={read} onClose={close} />}
      {opened?.dialog === 'cancel' && <CancelDialog read={read} onClose={close} />}
      {opened?.dialog === 'extend' && actions.canExtend && <ExtendDialog read={read} onClose={close} />}
      {opened?.dialog === 'contact' && actions.canChangeContact && (
        <ContactDialog
          read={read}
          onClose={close}
          onChanged={resend === undefined ? undefined : () => setOpened({ dialog: 'resend' })}
        />
      )}
      {opened?.dialog === 'resend' && resend !== undefined && <ResendDialog id={resend} onClose={close} />}
      {opened?.dialog === 'book' && actions.canBook && <BookDialog read={read} onClose={close} />}
      {opened?.dialog === 'documents' && <DocumentsDialog read={read} onClose={close} />}
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
  const sendLink = useSendLink()
  const mayWrite = useMay('operator.orders.write')
  const mayHelp = useMay('operator.orders.write', 'operator.participants.write')
  const maySendLinks = useMay('operator.links.write')
  const maySend = mayWrite || maySendLinks
  const canViewAs = useMay('operator.participants.read')
  const canReadDocuments = useMay('operator.documents.read')
  return useMemo(() => {
    const { order } = read
    const services = order.services.flatMap((shown) => {
      const operator = read.services.find(({ id }) => id === shown.id)
      return operator ? [{ shown, operator }] : []
    })
    const awaits = !isClosed(order.status) && order.services.some(({ status }) => isBeforeCheckIn(status))
    return {
      services,
      mayWrite,
      canBook: mayHelp && awaits,
      canSendLink: maySend && awaits,
      canExtend: mayHelp && awaits,
      canChangeContact: mayHelp && !isClosed(order.status) && order.participant !== null,
      canCancel: mayWrite && !isClosed(order.status),
      canViewAs,
      canReadDocuments,
      viewAs: () => openBeside(viewAsParticipant(order.id), (error) => toasts.warn(sentenceOf(error, words))),
      showDocuments: () => open({ dialog: 'documents' }),
      move: (service, kind, status) => open({ dialog: 'move', service, kind, status }),
      cancel: () => open({ dialog: 'cancel' }),
      book: () => open({ dialog: 'book' }),
      clear: () => open({ dialog: 'clear' }),
      extend: () => open({ dialog: 'extend' }),
      changeContact: () => open({ dialog: 'contact' }),
      sendLinkAgain: () => sendLink(order.id),
    }
  }, [read, mayWrite, mayHelp, maySend, canViewAs, canReadDocuments, open, toasts, words, sendLink])
}

/** Browsers open a window only at once, so it is opened before its address is known. */
function openBeside(view: Promise<{ url: string }>, onFailure: (error: unknown) => void): void {
  const page = window.open('about:blank', '_blank')
  view.then(
    ({ url }) => {
      if (!page) return location.assign(url)
      page.opener = null
      return page.location.replace(url)
    },
    (error: unknown) => {
      page?.close()
      onFailure(error)
    },
  )
}
