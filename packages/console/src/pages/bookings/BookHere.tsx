import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { CatalogClinicOutput, ClinicDay } from '@order-testing/client/operator'
import { useState } from 'react'
import type { ListedOrder } from '../../api/masking.ts'
import { bookClinic, keepChanged, searchQuery } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { SelectField, TextField } from '../../parts/Field.tsx'
import { sentenceOf, SlowNotice, useRefusal } from '../../parts/States.tsx'
import { StatusMark } from '../../parts/StatusMark.tsx'
import * as times from '../../parts/times.ts'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { useToasts } from '../../shell/toasts.tsx'
import { freeSlots, noonOf } from './day.ts'
import css from './bookings.module.css'

interface Props {
  clinic: CatalogClinicOutput
  day: ClinicDay
  /** The slot that was chosen; the first free one if none was. */
  at: string | undefined
  onClose: () => void
}

/** Books a clinic on a day for an order that is looked for here. */
export function BookHere({ clinic, day, at, onClose }: Props) {
  const words = useWords()
  const [asked, setAsked] = useState('')
  const search = useQuery(searchQuery(asked))
  const found = search.data?.found ?? []
  const [chosen, setChosen] = useState<string>()
  // A single hit needs no choice.
  const order = found.find(({ id }) => id === chosen) ?? (found.length === 1 ? found[0] : undefined)
  const form = useTime(day, at)
  const book = useBook(clinic, onClose)
  const isReady = order !== undefined && form.isReady && !book.isPending
  const refused = useRefusal(book.error, ['/appointmentAt'], day.zone)
  const confirm = () => {
    if (isReady) book.mutate({ order, appointmentAt: form.instant })
  }
  return (
    <AskDialog
      title={words.bookings.newTitle}
      subtitle={`${clinic.name}, ${times.weekday(words, noonOf(day.date))}`}
      onClose={onClose}
      onConfirm={confirm}
      leave={words.book.keep}
      confirm={words.book.confirm}
      isReady={isReady}
      isBusy={book.isPending}
      error={book.error}
      refusal={refused.rest}
    >
      <FindOrder onFind={setAsked} />
      {search.isLoading && <SlowNotice />}
      {search.error && (
        <p role="alert" className={css.problem}>
          {sentenceOf(search.error, words)}
        </p>
      )}
      {search.data && found.length === 0 && <p className={css.note}>{words.bookings.noOrder}</p>}
      {found.length > 0 && <Hits found={found} chosen={order?.id} onChoose={setChosen} />}
      {form.slots ? (
        <SelectField
          label={`${words.book.time}, ${times.zoneName(words, day.zone)}`}
          value={form.value}
          error={refused.at('/appointmentAt')}
          onChange={(event) => form.set(event.target.value)}
        >
          {form.slots.map((slot) => (
            <option key={slot.at} value={slot.at}>
              {`${times.clockIn(words, new Date(slot.at), day.zone)} · ${words.bookings.free(slot.capacity - slot.taken)}`}
            </option>
          ))}
        </SelectField>
      ) : (
        <TextField
          label={`${words.book.time}, ${times.zoneName(words, day.zone)} (${words.move.optional})`}
          type="time"
          value={form.value}
          error={refused.at('/appointmentAt')}
          note={words.book.timeNote}
          onChange={(event) => form.set(event.target.value)}
        />
      )}
      <p className={css.note}>{words.book.effect}</p>
    </AskDialog>
  )
}

/** Searches only when asked: each search for a person is recorded. */
function FindOrder({ onFind }: { onFind: (text: string) => void }) {
  const words = useWords()
  const [text, setText] = useState('')
  return (
    <form
      className={css.findOrder}
      onSubmit={(event) => {
        event.preventDefault()
        onFind(text.trim())
      }}
    >
      <TextField
        label={words.bookings.order}
        placeholder={words.bookings.findOrder}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button size="form" type="submit" keys="enter" disabled={text.trim().length < 2}>
        {words.actions.search}
      </Button>
    </form>
  )
}

interface HitsProps {
  found: ListedOrder[]
  chosen: string | undefined
  onChoose: (id: string) => void
}

function Hits({ found, chosen, onChoose }: HitsProps) {
  const words = useWords()
  return (
    <div className={css.hits} role="radiogroup" aria-label={words.bookings.order}>
      {found.map((order) => (
        <label key={order.id} className={css.hit}>
          <input type="radio" name="order" checked={order.id === chosen} onChange={() => onChoose(order.id)} />
          <span>
            <b>
              <code>{order.code}</code> {order.participant?.name}
            </b>
            <small>
              {[order.services.map(({ name }) => name).join(', '), order.company?.name, order.clinic?.name]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </span>
          <StatusMark status={order.status} />
        </label>
      ))}
    </div>
  )
}

/** One of the free slots, or any time of the day where there are none. */
function useTime(day: ClinicDay, at: string | undefined) {
  const [slots] = useState(() => freeSlots(day, new Date()))
  const [value, set] = useState(() => at ?? slots?.[0]?.at ?? '')
  const toInstant = () => (value === '' ? undefined : times.toInstant(`${day.date}T${value}`, day.zone))
  return { slots, value, set, isReady: slots === null || value !== '', instant: slots ? value : toInstant() }
}

function useBook(clinic: CatalogClinicOutput, onDone: () => void) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  return useDialogChange({
    send: (signal, { order, appointmentAt }: { order: ListedOrder; appointmentAt: string | undefined }) =>
      bookClinic(order.id, { clinicId: clinic.id, ...(appointmentAt !== undefined && { appointmentAt }) }, signal),
    onSuccess: async (changed) => {
      await keepChanged(queries, changed)
      await queries.invalidateQueries({ queryKey: ['bookings'] })
      toasts.tell(words.book.booked(clinic.name))
      onDone()
    },
  })
}
