import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CatalogClinicOutput } from '@order-testing/client/operator'
import { useMemo, useState } from 'react'
import { catalogQuery } from '../../api/catalog.ts'
import { bookClinic, clearClinic, keepChanged, type ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { Check, TextArea, TextField } from '../../parts/Field.tsx'
import { Bone } from '../../parts/States.tsx'
import { isBeforeCheckIn } from '../../parts/statuses.ts'
import * as times from '../../parts/times.ts'
import { useToasts } from '../../shell/toasts.tsx'
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
  const zone = chosen?.timezone ?? times.ZONE
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
      error={form.error}
    >
      <TextField
        label={words.book.clinic}
        placeholder={words.book.find}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={css.clinics} role="radiogroup" aria-label={words.book.clinic}>
        {clinics.isLoading &&
          Array.from({ length: 5 }, (_, index) => (
            <div key={index} className={css.clinic}>
              <Bone width="60%" />
            </div>
          ))}
        {clinics.found.map(({ clinic, missing }) => (
          <label key={clinic.id} className={css.clinic}>
            <input
              type="radio"
              name="clinic"
              checked={clinic.id === form.clinicId}
              onChange={() => form.set({ clinicId: clinic.id, at: '' })}
            />
            <span>
              <b>{clinic.name}</b>
              <small>
                {[clinic.address?.city, clinic.address?.state].filter(Boolean).join(', ')}
                {clinic.fee !== undefined && ` · ${words.book.fee(`$${clinic.fee}`)}`}
              </small>
            </span>
            <small className={missing > 0 ? css.warn : css.good}>
              {missing > 0 ? words.book.missing(missing) : words.book.offersAll}
            </small>
          </label>
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
        />
      ) : (
        <TextField
          label={`${words.book.time}, ${times.zoneName(words, zone)} (${words.move.optional})`}
          type="datetime-local"
          value={form.at}
          note={words.book.timeNote}
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
          onChange={(event) => form.set({ reason: event.target.value })}
        />
      )}
    </AskDialog>
  )
}

interface Offer {
  clinic: CatalogClinicOutput
  /** How many services of the order it does not offer. */
  missing: number
}

function useClinics(read: ReadOrder, text: string) {
  const catalog = useQuery(catalogQuery)
  const all = useMemo((): Offer[] => {
    const wanted = read.services.filter(({ status }) => isBeforeCheckIn(status)).map(({ serviceId }) => serviceId)
    return (catalog.data?.clinics ?? [])
      .filter(({ isActive }) => isActive)
      .map((clinic) => ({ clinic, missing: wanted.filter((id) => !clinic.services?.includes(id)).length }))
      .toSorted((a, b) => a.missing - b.missing)
  }, [catalog.data, read])
  const needle = text.trim().toLowerCase()
  const found = all.filter(({ clinic: { name, address } }) =>
    [name, address?.city, address?.state, address?.postalCode].some((part) => part?.toLowerCase().includes(needle)),
  )
  return { all, found: found.slice(0, MOST_SHOWN), isLoading: catalog.isLoading }
}

function useBooking(read: ReadOrder, onClose: () => void) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const [fields, setFields] = useState({ clinicId: read.order.clinic?.id ?? '', at: '', override: false, reason: '' })
  const { clinicId, at, override, reason } = fields
  const book = useMutation({
    mutationFn: ({ zone }: { zone: string; name: string | undefined }) =>
      bookClinic(read.order.id, {
        clinicId,
        ...(at !== '' && { appointmentAt: times.toInstant(at, zone) }),
        ...(override && { override, reason: reason.trim() }),
      }),
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
  const clear = useMutation({
    mutationFn: () => clearClinic(read.order.id),
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
