import { ok, problem, type Finding } from './diagnosis.ts'

/** How many faults a finding names. */
const MAX_NAMED = 5

interface Compared<T> {
  seen: number
  wrong: readonly T[]
  wrongCount: number
}

interface Place {
  tenantId: string
  id: string
}

const KEEP = 'Keep a backup of this state and report it.'

export function diagnoseCounts({
  seen: _,
  ...found
}: Compared<{ tenantId: string; companyId: string; list: string; kept: number; counted: number }>): Finding {
  if (found.wrongCount === 0) return ok('counts', 'The kept counts equal the orders of every list.')
  const named = nameFew(
    found,
    ({ tenantId, companyId, list, kept, counted }) =>
      `${tenantId}/${companyId}, list "${list}": ${number(kept)} kept, ${number(counted)} found`,
  )
  return problem('counts', `Kept counts differ from the orders: ${named}.`, `${KEEP} Totals of these lists are wrong.`)
}

export function diagnoseEvents({ seen, ...found }: Compared<Place>): Finding {
  if (found.wrongCount === 0) return ok('events', `Each of ${number(seen)} events has its change.`)
  const advice = `${KEEP} Clients that read events by cursor do not get these.`
  return problem('events', `Events without their change: ${nameFew(found, nameOf)}.`, advice)
}

export function diagnoseHistories({ seen, ...found }: Compared<Place>): Finding {
  if (found.wrongCount === 0) return ok('histories', `Each of ${number(seen)} orders has its history.`)
  const detail = `Orders whose history is missing, unreadable or ends in another status: ${nameFew(found, nameOf)}.`
  return problem('histories', detail, `Check the keys first. ${KEEP}`)
}

export function diagnoseSearchKeys({ seen, ...found }: Compared<Place>): Finding {
  if (found.wrongCount === 0) return ok('searchKeys', `The search keys of ${number(seen)} orders have their rows.`)
  const detail = `Orders that matching or the search of operators may miss: ${nameFew(found, nameOf)}.`
  return problem('searchKeys', detail, KEEP)
}

const nameOf = ({ tenantId, id }: Place) => `${tenantId}/${id}`

function nameFew<T>({ wrong, wrongCount }: Omit<Compared<T>, 'seen'>, name: (fault: T) => string): string {
  const named = wrong.slice(0, MAX_NAMED).map(name).join('; ')
  const more = wrongCount - Math.min(wrong.length, MAX_NAMED)
  return more > 0 ? `${named}; and ${number(more)} more` : named
}

const number = (count: number) => count.toLocaleString('en')
