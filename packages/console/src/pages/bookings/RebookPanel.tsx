import { IconCircleCheckFilled, IconCircleXFilled, IconCornerDownRight, IconMail, IconX } from '@tabler/icons-react'
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { OpenBooking, Rebooking } from '@order-testing/client/operator'
import { useState } from 'react'
import { clinicDayQuery, nameOf, rebookOrders } from '../../api/bookings.ts'
import { catalogQuery } from '../../api/catalog.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import { Check, TextField } from '../../parts/Field.tsx'
import { sentenceOf, SlowNotice } from '../../parts/States.tsx'
import * as times from '../../parts/times.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import list from '../../shell/list.module.css'
import { isDate, today } from './day.ts'
import { propose, wantedOf, type Proposal } from './proposals.ts'
import css from './bookings.module.css'

/** The most that the service rebooks at once. */
const MOST_REBOOKED = 100

/** Another clinic and time for each booking. Who cannot be placed is left out. */
export function RebookPanel({
  bookings,
  date,
  onClose,
}: {
  bookings: OpenBooking[]
  date: string
  onClose: () => void
}) {
  const words = useWords()
  const [shown] = useState(() => bookings.slice(0, MOST_REBOOKED))
  const [day, setDay] = useState(date < today() ? today() : date)
  const { proposals, isLoading } = useProposals(shown, day)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const placed = proposals.filter(({ place }) => place !== null)
  const chosen = placed.filter(({ booking }) => !left.has(booking.orderId))
  const rebook = useRebook(chosen)
  useShortcut('mod+enter', rebook.confirm, rebook.outcomes === undefined)
  useShortcut('escape', onClose)
  return (
    <aside className={`${list.panel} ${css.panel}`} aria-label={words.bookings.rebookTitle(shown.length)}>
      <header className={list.panelHead}>
        <h2>{words.bookings.rebookTitle(shown.length)}</h2>
        <span className={list.space} />
        <IconButton label={words.actions.close} onClick={onClose}>
          <IconX size={16} />
        </IconButton>
        <p>{words.bookings.rebookDetail}</p>
      </header>
      {rebook.outcomes ? (
        <Outcomes outcomes={rebook.outcomes} proposals={proposals} onClose={onClose} />
      ) : (
        <>
          <div className={list.panelBody}>
            <div className={css.panelDate}>
              <TextField
                label={words.bookings.rebookDate}
                type="date"
                min={today()}
                value={day}
                onChange={(event) => isDate(event.target.value) && setDay(event.target.value)}
              />
            </div>
            {isLoading && <SlowNotice />}
            {proposals.map((proposal) => (
              <ProposalRow
                key={proposal.booking.orderId}
                proposal={proposal}
                isChosen={!left.has(proposal.booking.orderId)}
                onToggle={() => setLeft(toggled(left, proposal.booking.orderId))}
              />
            ))}
            {!isLoading && (
              <p className={css.effect}>
                <IconMail size={16} />
                <span>
                  {words.bookings.notified(chosen.length)}{' '}
                  {proposals.length > placed.length && words.bookings.leftOut(proposals.length - placed.length)}
                </span>
              </p>
            )}
            {rebook.problem !== undefined && (
              <p role="alert" className={css.problem}>
                {rebook.problem}
              </p>
            )}
          </div>
          <footer className={list.panelFoot}>
            <span className={list.space} />
            <Button
              size="form"
              look="filled"
              keys="mod+enter"
              disabled={chosen.length === 0}
              isBusy={rebook.isBusy}
              onClick={rebook.confirm}
            >
              {words.bookings.confirm(chosen.length)}
            </Button>
          </footer>
        </>
      )}
    </aside>
  )
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Finds the clinics that could take them, and asks those for free times. */
function useProposals(bookings: OpenBooking[], date: string) {
  const catalog = useQuery(catalogQuery)
  const wanted = catalog.data ? bookings.map((booking) => wantedOf(booking, catalog.data)) : []
  const ids = [...new Set(wanted.flatMap(({ clinics }) => clinics.map(({ clinic }) => clinic.id)))]
  const days = useQueries({ queries: ids.map((id) => clinicDayQuery(id, date)) })
  const known = new Map(days.flatMap(({ data }) => (data ? [[data.clinic.id, data] as const] : [])))
  const isLoading = [catalog, ...days].some((query) => query.isLoading)
  return { isLoading, proposals: isLoading ? [] : propose(wanted, known, new Date()) }
}

function useRebook(chosen: Proposal[]) {
  const words = useWords()
  const queries = useQueryClient()
  const rebook = useMutation({
    mutationFn: () =>
      rebookOrders(
        chosen.map(({ booking, place }) => ({ id: booking.orderId, clinicId: place!.clinic.id, at: place!.at })),
      ),
    onSuccess: async () => {
      for (const key of ['bookings', 'orders', 'order']) await queries.invalidateQueries({ queryKey: [key] })
    },
  })
  return {
    outcomes: rebook.data?.data,
    isBusy: rebook.isPending,
    problem: rebook.error ? sentenceOf(rebook.error, words) : undefined,
    confirm: () => {
      if (chosen.length > 0 && !rebook.isPending) rebook.mutate()
    },
  }
}

interface RowProps {
  proposal: Proposal
  isChosen: boolean
  onToggle: () => void
}

function ProposalRow({ proposal: { booking, place }, isChosen, onToggle }: RowProps) {
  const words = useWords()
  return (
    <label className={css.proposal} data-none={place === null}>
      <Check
        aria-label={words.bookings.choose(booking.code)}
        checked={place !== null && isChosen}
        disabled={place === null}
        onChange={onToggle}
      />
      <span>
        <code>{booking.code}</code> {nameOf(booking)}
      </span>
      <small>
        {booking.appointmentAt ? times.short(words, new Date(booking.appointmentAt)) : words.bookings.anyTime}
      </small>
      <b>
        <IconCornerDownRight size={14} /> {place ? placeText(place, words) : words.bookings.cannot}
      </b>
      <small>{place ? place.miles !== null && words.bookings.miles(place.miles) : words.bookings.callFirst}</small>
    </label>
  )
}

function placeText({ clinic, at, zone }: NonNullable<Proposal['place']>, words: Words): string {
  if (at === null) return `${clinic.name}, ${words.bookings.anyTime}`
  const date = new Date(at)
  const day = date.toLocaleDateString(words.locale, { weekday: 'short', timeZone: zone })
  return `${clinic.name}, ${day} ${times.clockIn(words, date, zone)} ${times.zoneName(words, zone)}`
}

interface OutcomesProps {
  outcomes: Rebooking[]
  proposals: Proposal[]
  onClose: () => void
}

/** What became of each order. */
function Outcomes({ outcomes, proposals, onClose }: OutcomesProps) {
  const words = useWords()
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused').length
  return (
    <>
      <div className={list.panelBody} role="status">
        <p className={css.effect}>
          <span>
            <b>{words.bookings.booked(outcomes.length - refused)}</b> {refused > 0 && words.bookings.refused(refused)}
          </span>
        </p>
        <ul className={css.outcomes} aria-label={words.bookings.outcomes}>
          {outcomes.map(({ orderId, outcome, problems }) => {
            const proposal = proposals.find(({ booking }) => booking.orderId === orderId)
            const Icon = outcome === 'booked' ? IconCircleCheckFilled : IconCircleXFilled
            return (
              <li key={orderId} className={css.outcome}>
                <span data-tone={outcome === 'booked' ? 'good' : 'bad'} className={css.outcomeMark}>
                  <Icon size={15} /> {words.bookings.outcome[outcome] ?? outcome}
                </span>
                <code>{proposal?.booking.code ?? orderId}</code> {proposal && nameOf(proposal.booking)}
                <small>
                  {problems.map(({ detail }) => detail).join(' ') ||
                    (proposal?.place && placeText(proposal.place, words))}
                </small>
              </li>
            )
          })}
        </ul>
      </div>
      <footer className={list.panelFoot}>
        <span className={list.space} />
        <Button size="form" look="filled" onClick={onClose}>
          {words.bookings.done}
        </Button>
      </footer>
    </>
  )
}
