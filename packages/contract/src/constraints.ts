import type { Constraint } from './constraint-meanings.ts'
import type { Finding, Problem } from './problems.ts'

/** The code of a problem in v1. Codes without a constraint name, such as `conflict`, are the same in both versions. */
export function constraintCode({ code, constraint }: Problem): string {
  return constraint ?? (code === 'required' ? 'isNotEmpty' : code)
}

/** The constraint that a finding breaks; undefined if v1 uses the code of v2. */
export function constraintOf({ code, issue, path }: Finding): Constraint | undefined {
  if (code === 'required') return undefined
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected]
    case 'invalid_value':
      return 'isEnum'
    case 'invalid_union':
      return issue.discriminator === undefined ? undefined : 'isEnum'
    case 'invalid_format':
      return FORMATS[issue.format] ?? FORMATS[String(path.at(-1))] ?? 'matches'
    case 'too_small':
      return LEAST[issue.origin] ?? (isAboveZero(issue) ? 'isPositive' : 'min')
    case 'too_big':
      return MOST[issue.origin] ?? 'max'
    case 'not_multiple_of':
      return 'isDivisibleBy'
    default:
      return undefined
  }
}

const TYPES: Record<string, Constraint> = {
  string: 'isString',
  number: 'isNumber',
  int: 'isInt',
  boolean: 'isBoolean',
  array: 'isArray',
  object: 'isObject',
  record: 'isObject',
}

/** By format, or by member name where the format is only a pattern. */
const FORMATS: Record<string, Constraint> = {
  email: 'isEmail',
  date: 'isDateFormat',
  datetime: 'isDateFormat',
  url: 'isUrl',
  phone: 'isPhoneNumber',
  country: 'isISO31661Alpha2',
  postalCode: 'isPostalCode',
}

const LEAST: Record<string, Constraint> = { string: 'isNotEmpty', array: 'arrayMinSize' }
const MOST: Record<string, Constraint> = { string: 'maxLength', array: 'arrayMaxSize' }

const isAboveZero = ({ minimum, inclusive }: { minimum: number | bigint; inclusive?: boolean }) =>
  Number(minimum) === (inclusive === false ? 0 : 1)
