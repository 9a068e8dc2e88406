import type { ErrorCode } from './errors.ts'

interface ConstraintMeaning {
  meaning: string
  /** The codes of v2 for the same problem. */
  codes: readonly ErrorCode[]
}

/** The constraint names that v1 has as error codes. */
export const CONSTRAINT_MEANINGS = {
  isNotEmpty: { meaning: 'The member is missing or empty.', codes: ['required', 'tooSmall'] },
  isString: { meaning: 'Expected a string.', codes: ['invalidType'] },
  isNumber: { meaning: 'Expected a number.', codes: ['invalidType'] },
  isInt: { meaning: 'Expected a whole number.', codes: ['invalidType'] },
  isBoolean: { meaning: 'Expected true or false.', codes: ['invalidType'] },
  isArray: { meaning: 'Expected an array.', codes: ['invalidType'] },
  isObject: { meaning: 'Expected an object.', codes: ['invalidType'] },
  isEnum: { meaning: 'Expected one of a fixed list of values.', codes: ['invalidValue', 'invalidUnion'] },
  isEmail: { meaning: 'Expected an e-mail address.', codes: ['invalidFormat'] },
  isPhoneNumber: { meaning: 'Expected a phone number, US national or E.164.', codes: ['invalidFormat'] },
  isDateFormat: { meaning: 'Expected a date, or a date and time with an offset.', codes: ['invalidFormat'] },
  isPostalCode: { meaning: 'Expected a postal code of the country.', codes: ['invalidFormat'] },
  isISO31661Alpha2: { meaning: 'Expected a two-letter country code.', codes: ['invalidFormat', 'invalidValue'] },
  isUrl: { meaning: 'Expected a URL that deliveries can be sent to.', codes: ['invalidFormat', 'invalidValue'] },
  matches: { meaning: 'The text does not have the expected format.', codes: ['invalidFormat'] },
  isPositive: { meaning: 'Expected a number greater than 0.', codes: ['tooSmall'] },
  min: { meaning: 'The number or date is below its minimum.', codes: ['tooSmall'] },
  max: { meaning: 'The number or date is above its maximum, or an object has too many members.', codes: ['tooBig'] },
  maxLength: { meaning: 'The text is too long.', codes: ['tooBig'] },
  arrayMinSize: { meaning: 'The list has too few items.', codes: ['tooSmall'] },
  arrayMaxSize: { meaning: 'The list has too many items.', codes: ['tooBig'] },
  isDivisibleBy: { meaning: 'The number is not a multiple of what is required.', codes: ['notMultipleOf'] },
} as const satisfies Record<string, ConstraintMeaning>

export type Constraint = keyof typeof CONSTRAINT_MEANINGS
