import type { Words } from '../../languages/en.ts'
import type { FormField, Limits } from './fields.ts'
import { parseHours } from './hours.ts'

/** The value for the file: undefined if the field is empty. Otherwise why the text cannot be used. */
export function readField(
  { type, isRequired = false, limits = {} }: FormField,
  typed: string,
  { catalog: { wrong } }: Words,
): { value: unknown } | { problem: string } {
  const text = typed.trim()
  if (text === '') return isRequired ? { problem: wrong.text } : { value: undefined }
  switch (type) {
    case 'hours': {
      const value = parseHours(text)
      return value === null ? { problem: wrong.hours } : { value }
    }
    case 'flag':
      return { value: text === 'true' }
    case 'color':
      return /^#[0-9a-f]{6}$/i.test(text) ? { value: text } : { problem: wrong.color }
    case 'number':
    case 'slotLength':
      return isWithin(Number(text), limits) ? { value: Number(text) } : { problem: wrong.number(limits) }
    default: {
      const { longest = Infinity } = limits
      return text.length > longest ? { problem: wrong.long(longest, text.length) } : { value: text }
    }
  }
}

const isWithin = (value: number, { least = -Infinity, above = -Infinity, most = Infinity, isWhole = false }: Limits) =>
  Number.isFinite(value) && value >= least && value > above && value <= most && (!isWhole || Number.isInteger(value))

/** Beside which field a problem of the whole file belongs: `/companies/0/locations/1/settings/expiresIn`. */
export const fieldOfPointer = (pointer: string | undefined): string | undefined =>
  /^\/\w+\/\d+(?:\/locations\/\d+)?\/(.+)$/.exec(pointer ?? '')?.[1]?.replaceAll('/', '.')
