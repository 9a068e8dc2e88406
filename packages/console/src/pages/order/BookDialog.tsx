import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { catalogQuery } from '../../api/catalog.ts'
import { bookClinic, clearClinic, keepChanged, readAgain, type ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { Check, TextArea, TextField } from '../../parts/Field.tsx'
import { Bone, useRefusal } from '../../parts/States.tsx'
import * as times from '../../parts/times.ts'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { useToasts } from '../../shell/toasts.tsx'
import { ChangedMeanwhile, useVersion } from './ChangedMeanwhile.tsx'
import { offersFor, type Offer } from './clinic-offers.ts'
import { SlotPicker } from './SlotPicker.tsx'
import css from './order.module.css'

const MOST_SHOWN = 30

/** Books a clinic, or another one. Times are those of the clinic. */
export function BookDialog({ read, onClose }: { read: ReadOrder; onClose: () => void }) {
  const words = useWords()
  const [text, setText] = useState('')
  const clinics = useClinics(read, text)
  const form = useBooking(read, onClose)
  const chosen = clinics.all.find(({ clinic }) => clinic.id === form.clinicId)?.clinic
  // Before a clinic is chosen, times are those of the order.
  const zone = chosen?.timezone ?? read.timezone
  const refused = useRefusal(form.error, ['/clinicId', '/appointmentAt', '/reason'], zone)
  return (
    <AskDialog
      size={620}
      title={read.order.clinic ? words.order.change : words.book.title}
      subtitle={
        <>
          <code className={css.dialogCode}>{read.order.code}</code> · {read.order.participant?.name}
        </>
      }
      onClose={onClose}
      onConfirm={() => form.confirm(zone, chosen?.name)}
      leave={words.book.keep}
      confirm={words.book.confirm}
      isReady={form.isReady}
      isBusy={form.isBusy}
      error={form.version.newer ? undefined : form.error}
      refusal={form.version.newer ? undefined : refused.rest}
    >
      <ChangedMeanwhile {...form.version} />
      <TextField
        label={words.book.clinic}
        placeholder={words.book.find}
        data-autofocus
        value={text}
        error={refused.at('/clinicId')}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={css.clinics} role="radiogroup" aria-label={words.book.clinic}>
        {clinics.isLoading &&
          Array.from({ length: 5 }, (_, index) => (
            <div key={index} className={css.clinic}>
              <Bone width="60%" />
            </div>
          ))}
        {clinics.found.map((offer) => (
          <ClinicChoice
            key={offer.clinic.id}
            offer={offer}
            cap={clinics.cap}
            isChosen={offer.clinic.id === form.clinicId}
            onChoose={() => form.set({ clinicId: offer.clinic.id, at: '' })}
          />
        ))}
        {!clinics.isLoading && clinics.found.length === 0 && <p className={css.quiet}>{words.book.noClinics}</p>}
      </div>
      {chosen?.slots ? (
        <SlotPicker
          key={chosen.id}
          clinicId={chosen.id}
          zone={zone}
          value={form.at}
          mayOverbook={form.override}
          onChange={(at) => form.set({ at })}
          error={refused.at('/appointmentAt')}
        />
      ) : (
        <TextField
          label={`${words.book.time}, ${times.zoneName(words, zone)} (${words.move.optional})`}
          type="datetime-local"
          value={form.at}
          note={words.book.timeNote}
          error={refused.at('/appointmentAt')}
          onChange={(event) => form.set({ at: event.target.value })}
        />
      )}
      <p className={css.quiet}>{words.book.effect}</p>
      <label className={css.checkLine}>
        <Check checked={form.override} onChange={(event) => form.set({ override: event.target.checked })} />{' '}
        {words.book.override}
      </label>
      {form.override && (
        <TextArea
          label={words.book.reason}
          value={form.reason}
          maxLength={255}
          error={refused.at('/reason')}
          onChange={(event) => form.set({ reason: event.target.value })}
        />
      )}
    </AskDialog>
  )
}

/** How far it is, what it lacks, and what it costs. */
function ClinicChoice({
  offer: { clinic, miles, missing, isOverCap },
  cap,
  isChosen,
  onChoose,
}: {
  offer: Offer
  cap: number | undefined
  isChosen: boolean
  onChoose: () => void
}) {
  const { book } = useWords()
  const fee = clinic.fee === undefined ? undefined : `$${clinic.fee}`
  return (
    <label className={css.clinic}>
      <input type="radio" name="clinic" checked={isChosen} onChange={onChoose} />
      <span>
        <b>{clinic.name}</b>
        <small>
          {[
            [clinic.address?.city, clinic.address?.state].filter(Boolean).join(', '),
            miles !== null && book.miles(miles),
            fee !== undefined && (cap === undefined ? book.fee(fee) : book.feeOfCap(fee, `$${cap}`)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </span>
      <small className={missing.length > 0 || isOverCap ? css.warn : css.good}>
        {missing.length > 0 ? book.lacks(missing.join(', ')) : isOverCap ? book.overCap : book.offersAll}
      </small>
    </label>
  )
}

function useClinics(read: ReadOrder, text: string) {
  const catalog = useQuery(catalogQuery)
  const { offers: all, cap } = useMemo(
    () => (catalog.data ? offersFor(read, catalog.data) : { offers: [], cap: undefined }),
    [catalog.data, read],
  )
  const needle = text.trim().toLowerCase()
  const found = all.filter(({ clinic: { name, address } }) =>
    [name, address?.city, address?.state, address?.postalCode].some((part) => part?.toLowerCase().includes(needle)),
  )
  return { all, cap, found: found.slice(0, MOST_SHOWN), isLoading: catalog.isLoading }
}

function useBooking(read: ReadOrder, onClose: () => void) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const [fields, setFields] = useState({ clinicId: read.order.clinic?.id ?? '', at: '', override: false, reason: '' })
  const { clinicId, at, override, reason } = fields
  const version = useVersion(read, () => readAgain(queries, read.order))
  const book = useDialogChange({
    onError: version.onError,
    send: (signal, { zone }: { zone: string; name: string | undefined }) => {
      const appointment = at !== '' && { appointmentAt: times.toInstant(at, zone) }
      const overriding = override && { override, reason: reason.trim() }
      return bookClinic(read.order.id, { clinicId, ...appointment, ...overriding, basedOn: version.basedOn }, signal)
    },
    onSuccess: async (changed, { name }) => {
      await keepChanged(queries, changed)
      await queries.invalidateQueries({ queryKey: ['bookings'] })
      toasts.tell(words.book.booked(name ?? clinicId))
      onClose()
    },
  })
  const isReady = clinicId !== '' && (!override || reason.trim() !== '')
  return {
    ...fields,
    isReady,
    version,
    isBusy: book.isPending,
    error: book.error,
    set: (changes: Partial<typeof fields>) => setFields((now) => ({ ...now, ...changes })),
    confirm: (zone: string, name: string | undefined) => book.mutate({ zone, name }),
  }
}

export function ClearDialog({ read, onClose }: { read: ReadOrder; onClose: () => void }) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const clear = useDialogChange({
    send: (signal) => clearClinic(read.order.id, signal),
    onSuccess: async (changed) => {
      await keepChanged(queries, changed)
      await queries.invalidateQueries({ queryKey: ['bookings'] })
      toasts.tell(words.book.cleared)
      onClose()
    },
  })
  return (
    <AskDialog
      title={words.book.clearTitle}
      subtitle={read.order.clinic?.name}
      onClose={onClose}
      onConfirm={() => clear.mutate()}
      leave={words.book.keep}
      confirm={words.order.clear}
      look="dangerFilled"
      isBusy={clear.isPending}
      error={clear.error}
    >
      <p>{words.book.clearEffect}</p>
    </AskDialog>
  )
}
