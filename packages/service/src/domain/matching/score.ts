import { withoutExtension } from '../phones.ts'
import { compareFirst, compareLast, compareMiddle, DIFFERENT, EQUAL, normaliseName, type Comparison } from './names.ts'

/** A person as two orders are compared. Identifiers are not sealed. */
export interface Person {
  firstName: string
  lastName: string
  middleName?: string | null | undefined
  birthDate?: string | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
  identifiers?: readonly Identifier[] | undefined
}

export interface Identifier {
  type: string
  value: string
  issuingCountry?: string | null | undefined
  issuingState?: string | null | undefined
}

export type Profile = 'standard' | 'appCollection'

type Field = 'last' | 'first' | 'middle' | 'birthDate' | 'identifiers' | 'email' | 'phone'

/** The weight of each field, and the sum of weights that must be known for a full score. */
export const WEIGHTS: Record<Profile, Record<Field, number> & { enough: number }> = {
  standard: { last: 20, first: 15, middle: 5, birthDate: 25, identifiers: 20, email: 8, phone: 7, enough: 50 },
  appCollection: { last: 20, first: 20, middle: 5, birthDate: 30, identifiers: 20, email: 3, phone: 2, enough: 60 },
}

/** Upper limits of a score, whatever the fields add up to. */
const CAPS = {
  conflict: 60,
  twoMismatches: 70,
  twoMismatchesSameIdentifier: 84,
  mismatch: 84,
  lessKnown: 99,
}

export type Part = Omit<Comparison, 'hasEqual'> & { field: Field; weight: number }

/** A score with everything it was computed from, so that operators can see why. */
export interface Score {
  score: number
  parts: Part[]
  caps: { reason: keyof typeof CAPS; limit: number }[]
}

/** How likely a request and an order on file are for the same person; 100 means exact. */
export function scorePair(request: Person, candidate: Person, profile: Profile): Score {
  const parts = compare(request, candidate, WEIGHTS[profile])
  const caps = capsOf(parts, request, candidate)
  const weight = parts.reduce((sum, part) => sum + part.weight, 0)
  const points = parts.reduce((sum, part) => sum + part.weight * part.similarity, 0)
  const full = weight === 0 ? 0 : (100 * points * Math.min(1, weight / WEIGHTS[profile].enough)) / weight
  const score = Math.min(full, ...caps.map(({ limit }) => limit))
  return { score: floorToTenth(score), parts, caps }
}

/** People in conflict are never equivalent, whatever the score (ruling 40). */
export const hasConflict = ({ caps }: Score) => caps.some(({ reason }) => reason === 'conflict')

/** Finds conflicts in names and birth date, so that most candidates need not be scored. */
export function conflictsWith(request: Person): (candidate: Person) => boolean {
  const names = namesOf(request)
  return (candidate) => {
    const theirs = namesOf(candidate)
    const birthDate = both(request.birthDate, candidate.birthDate, compareDates)
    if (compareFirst(names, theirs).kind === 'different' || birthDate === DIFFERENT) return true
    // With an equal birth date, the last name may have changed: the identifiers decide.
    return birthDate !== EQUAL && compareLast(names.last, theirs.last).kind === 'different'
  }
}

/** Compares the fields that both people have. */
function compare(a: Person, b: Person, weights: Record<Field, number>): Part[] {
  const [x, y] = [namesOf(a), namesOf(b)]
  const first = compareFirst(x, y)
  const birthDate = both(a.birthDate, b.birthDate, compareDates)
  const identifiers = compareIdentifiers(a.identifiers ?? [], b.identifiers ?? [])
  const last = orRenamed(compareLast(x.last, y.last), { first, birthDate, identifiers })
  const found: [Field, Comparison | null][] = [
    ['last', last],
    ['first', first],
    ['middle', both(x.middle, y.middle, compareMiddle)],
    ['birthDate', birthDate],
    ['identifiers', identifiers],
    ['email', both(a.email, b.email, (p, q) => same(p.trim().toLowerCase() === q.trim().toLowerCase()))],
    ['phone', both(lastTen(a.phone), lastTen(b.phone), (p, q) => same(p === q))],
  ]
  return found.flatMap(([field, comparison]) => (comparison ? [{ field, weight: weights[field], ...comparison }] : []))
}

const namesOf = ({ firstName, middleName, lastName }: Person) => ({
  first: normaliseName(firstName),
  middle: middleName ? normaliseName(middleName) : '',
  last: normaliseName(lastName),
})

const same = (equal: boolean) => (equal ? EQUAL : DIFFERENT)

const both = <T>(a: T | null | undefined | '', b: T | null | undefined | '', compareThem: (a: T, b: T) => Comparison) =>
  a && b ? compareThem(a, b) : null

/** With the same birth date and identifier, a different last name counts as changed. */
function orRenamed(
  last: Comparison,
  {
    first,
    birthDate,
    identifiers,
  }: { first: Comparison; birthDate: Comparison | null; identifiers: Comparison | null },
): Comparison {
  const sharesIdentifier = identifiers?.kind === 'equal' || identifiers?.hasEqual === true
  const isSamePerson = first.kind !== 'different' && birthDate?.kind === 'equal' && sharesIdentifier
  return last.kind === 'different' && isSamePerson ? { similarity: 0.5, kind: 'renamed' } : last
}

function compareDates(a: string, b: string): Comparison {
  if (a === b) return EQUAL
  const [year, month, day] = a.split('-')
  return `${year}-${day}-${month}` === b || edits(a, b) === 1 ? { similarity: 0.8, kind: 'alike' } : DIFFERENT
}

/** Compares identifiers of the same type: a conflict in one outweighs equal values in others. */
function compareIdentifiers(a: readonly Identifier[], b: readonly Identifier[]): Comparison | null {
  const others = comparableOf(b)
  const pairs = comparableOf(a).flatMap((mine) => {
    const theirs = others.find((other) => other.type === mine.type && haveSameIssuer(mine, other))
    if (!theirs) return []
    const compareThem = mine.type === 'ssn' ? compareSsns : compareValues
    return [compareThem(mine.text, theirs.text)]
  })
  if (pairs.length === 0) return null
  if (pairs.includes(DIFFERENT)) return { ...DIFFERENT, hasEqual: pairs.includes(EQUAL) }
  return pairs.includes(EQUAL) ? EQUAL : pairs[0]!
}

function compareValues(a: string, b: string): Comparison {
  if (a === b) return EQUAL
  return edits(a, b) === 1 ? { similarity: 0.5, kind: 'alike' } : DIFFERENT
}

/** If either has only the last four digits, these must be equal, and do not identify a person (ruling 37). */
function compareSsns(a: string, b: string): Comparison {
  if (a.length === 9 && b.length === 9) return compareValues(a, b)
  return a.slice(-4) === b.slice(-4) ? { similarity: 0.5, kind: 'lastFour' } : DIFFERENT
}

/** Licenses of different states and passports of different countries cannot be compared. */
function haveSameIssuer(a: Identifier, b: Identifier): boolean {
  const isSame = (x?: string | null, y?: string | null) => !x || !y || x.toUpperCase() === y.toUpperCase()
  return (
    isSame(a.issuingCountry, b.issuingCountry) && (a.type !== 'driverLicense' || isSame(a.issuingState, b.issuingState))
  )
}

/** Well-known invalid social security numbers that people enter instead of their own. */
const PLACEHOLDER_SSNS = new Set(['123456789', '987654321', '078051120', '219099999', '123121234'])

/** What people enter instead of an identifier, in its plain form. */
const PLACEHOLDERS =
  /^(|NA|NONE|NIL|NULL|UNKNOWN|UNK|PENDING|REFUSED|DECLINED|MISSING|TBD|TEST|NOT(PROVIDED|AVAILABLE|APPLICABLE|GIVEN|KNOWN)|X+\d{0,4}|0+)$/

/** Whether an identifier is compared: not placeholders, nor an `ssn` without nine or four digits. */
function isComparable({ type, value }: Identifier): boolean {
  const text = plain(value)
  if (PLACEHOLDERS.test(text)) return false
  if (type !== 'ssn') return true
  // Excludes masked numbers such as ***-**-1234.
  if (!/^[\d\s.\p{Pd}]+$/u.test(value.normalize('NFKC'))) return false
  if (text.length !== 9) return text.length === 4
  return !PLACEHOLDER_SSNS.has(text) && !/^(\d)\1*$/.test(text) && !text.startsWith('000')
}

/** An identifier with its plain form. */
type Comparable = Identifier & { text: string }

/** Computed once per person: a request is compared with up to 200 candidates, each with up to 50 identifiers. */
const comparables = new WeakMap<readonly Identifier[], Comparable[]>()

function comparableOf(identifiers: readonly Identifier[]): readonly Comparable[] {
  const cached = comparables.get(identifiers)
  if (cached) return cached
  const made = identifiers.filter(isComparable).map((each) => ({ ...each, text: plain(each.value) }))
  comparables.set(identifiers, made)
  return made
}

/** Whether an equal value identifies a person: the last four digits of an `ssn` do not. */
export const isIdentifying = (identifier: Identifier) =>
  isComparable(identifier) && (identifier.type !== 'ssn' || plain(identifier.value).length === 9)

/** An identifier without spacing, punctuation and case, as it is compared. */
export const plain = (value: string) =>
  value
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The last ten digits of a phone number; empty if it has none. */
export const lastTen = (phone: string | null | undefined) =>
  withoutExtension(phone ?? '')
    .replaceAll(/\D/g, '')
    .slice(-10)

/** Fields in which a mismatch, even an explainable one, makes two different people likely. */
const DEFINING = new Set<Field>(['first', 'last', 'birthDate'])
const CONFLICTING = new Set<Field>(['first', 'last', 'birthDate', 'identifiers'])
const EXEMPT = new Set(['equal', 'nickname', 'renamed', 'different'])

function capsOf(parts: Part[], request: Person, candidate: Person): Score['caps'] {
  const kindOf = (field: Field) => parts.find((part) => part.field === field)?.kind
  const mismatches = parts
    .filter(({ field, kind }) => DEFINING.has(field) && !EXEMPT.has(kind))
    .map(({ field }) => field)
  const sameIdentifier = kindOf('identifiers') === 'equal'
  const sameEmail = kindOf('email') === 'equal' && !mismatches.includes('first')
  const reasons: [keyof typeof CAPS, boolean][] = [
    ['conflict', parts.some(({ field, kind }) => CONFLICTING.has(field) && kind === 'different')],
    ['twoMismatches', mismatches.length > 1 && !sameIdentifier],
    ['twoMismatchesSameIdentifier', mismatches.length > 1 && sameIdentifier],
    ['mismatch', mismatches.length === 1 && !sameIdentifier && !sameEmail],
    ['lessKnown', kindOf('first') === 'nickname' || knowsMore(request, candidate)],
  ]
  return reasons.filter(([, holds]) => holds).map(([reason]) => ({ reason, limit: CAPS[reason] }))
}

/** Whether the request has something that the candidate does not confirm. */
function knowsMore(request: Person, candidate: Person): boolean {
  const theirs = comparableOf(candidate.identifiers ?? [])
  const isConfirmed = (mine: Identifier) =>
    theirs.some((other) => other.type === mine.type && haveSameIssuer(mine, other))
  return (
    (['birthDate', 'email', 'phone'] as const).some((field) => request[field] && !candidate[field]) ||
    !comparableOf(request.identifiers ?? []).every((mine) => isConfirmed(mine))
  )
}

/** 98.85 becomes 98.8, and so does a float just below 98.8. */
const floorToTenth = (score: number) => Math.floor(score * 10 + 1e-9) / 10

/** The edit distance of two texts: 0, 1, or 2 for any more. */
function edits(a: string, b: string): 0 | 1 | 2 {
  if (a === b) return 0
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return 2
  let i = 0
  while (i < short.length && short[i] === long[i]) i++
  const [restShort, restLong] = [short.slice(long.length === short.length ? i + 1 : i), long.slice(i + 1)]
  return restShort === restLong ? 1 : 2
}
