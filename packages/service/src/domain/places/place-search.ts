import { cityName, stateCode } from './city-names.ts'
import { cityIn, cityKeys, citiesNamed, locateLine, milesBetween, type City, type Point } from './postal-places.ts'
import { editDistance } from './edit-distance.ts'

/** A place as it was understood. */
export interface FoundPlace {
  at: Point
  /** Such as `Naperville, IL`. */
  name: string
  /** Towns of the same name in other states, largest first. */
  others: string[]
}

/** Names of fewer letters have too many neighbors. */
const SHORTEST = 4
/** From this length on, two letters may be wrong. */
const LONG = 8
const MOST_WORDS = 4
const MOST_OTHERS = 4
/** A town that is farther from a postal code is not its town. */
const TOWN_MILES = 40

/**
 * Finds a place that somebody typed. The state may be missing and the town misspelled; then towns in the home states come first.
 */
export function searchPlace(line: string, homes: readonly (string | undefined)[]): FoundPlace | null {
  const at = locateLine(line)
  if (at) {
    const town = cityIn(line)
    const isTown = town !== null && milesBetween(town.at, at) < TOWN_MILES
    return { at, name: isTown ? labelOf(town) : line, others: [] }
  }
  const { words, state, last } = splitState(line)
  const own = new Set(homes.flatMap((home) => stateCode(home ?? '') ?? []))
  const [best, ...rest] =
    (state === undefined ? null : townsLike({ words, last }, new Set([state]), { isOnly: true })) ??
    townsLike({ words, last }, own, { isExact: state !== undefined }) ??
    []
  if (!best) return null
  const others = best.state === state ? [] : rest.slice(0, MOST_OTHERS)
  return { at: best.at, name: labelOf(best), others: others.map(labelOf) }
}

const labelOf = ({ name, state }: City) => `${name}, ${state}`

interface Typed {
  words: string[]
  /** How many of them come after the last comma. */
  last: number
}

/** A state of one or two words at the end of a line. */
function splitState(line: string): Typed & { state: string | undefined } {
  const wordsIn = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '')
  const words = wordsIn(line)
  const last = wordsIn(line.split(',').at(-1)!).length
  for (const length of [2, 1]) {
    const state = words.length > length ? stateCode(words.slice(-length).join(' ')) : undefined
    if (state !== undefined) return { words: words.slice(0, -length), last: last - length, state }
  }
  return { words, last, state: undefined }
}

/**
 * The towns that the last words name, those in the preferred states first, then by size. Takes as many words as possible: Fort
 * Wort is not Worth. With `isOnly`, towns in other states do not count. Without a state, some of the words name a town only if
 * they are spelled right and it is in a preferred state. With `isExact`, no misspelled name counts: `near me` is not Bear, DE.
 */
function townsLike({ words, last }: Typed, states: Set<string>, { isOnly = false, isExact = false }): City[] | null {
  const inPlace = (cities: City[]) =>
    cities
      .filter(({ state }) => !isOnly || states.has(state))
      .toSorted((a, b) => Number(states.has(b.state)) - Number(states.has(a.state)) || b.codes - a.codes)
  const counts = Array.from({ length: Math.min(MOST_WORDS, words.length) }, (_, i) => i + 1).toReversed()
  const names = counts
    .map((count) => ({
      name: cityName(words.slice(-count).join(' ')),
      isWhole: isOnly || count === words.length || count === last,
    }))
    .filter(({ name }) => name !== '')
  for (const { name, isWhole } of names) {
    const exact = inPlace(citiesNamed(name)).filter(({ state }) => isWhole || states.has(state))
    if (exact.length > 0) return exact
  }
  for (const { name } of names.filter(({ isWhole }) => isWhole && !isExact)) {
    const like = nearestName(name, states, isOnly)
    if (like !== null) return inPlace(citiesNamed(like))
  }
  return null
}

/** The closest name: of equally close ones, one in a preferred state, else that of the largest town. */
function nearestName(typed: string, states: Set<string>, isOnly: boolean): string | null {
  const most = typed.length < SHORTEST ? 0 : typed.length < LONG ? 1 : 2
  const letters = lettersOf(typed)
  let best: { name: string; cost: number; codes: number } | null = null
  for (const { name, state, letters: own } of knownNames()) {
    if (Math.abs(name.length - typed.length) > most || bitsIn(letters ^ own) > 2 * most) continue
    if (isOnly && !states.has(state)) continue
    const distance = editDistance(typed, name, most)
    // A name in a preferred state wins over one that is as close.
    const cost = distance - (states.has(state) ? 0.5 : 0)
    if (distance > most || (best && cost > best.cost)) continue
    const codes = Math.max(...citiesNamed(name).map((city) => city.codes))
    if (!best || cost < best.cost || codes > best.codes) best = { name, cost, codes }
  }
  return best?.name ?? null
}

/** The letters of each name as bits rule out most names at once: a search takes 4 ms instead of 40. */
function knownNames() {
  known ??= cityKeys().map((key) => {
    const [name = '', state = ''] = key.split('|')
    return { name, state, letters: lettersOf(name) }
  })
  return known
}

let known: { name: string; state: string; letters: number }[] | undefined

function lettersOf(name: string): number {
  let bits = 0
  for (let i = 0; i < name.length; i++) bits |= 1 << (name.codePointAt(i)! - 97)
  return bits
}

function bitsIn(value: number): number {
  let count = 0
  for (let rest = value; rest !== 0; rest &= rest - 1) count++
  return count
}
