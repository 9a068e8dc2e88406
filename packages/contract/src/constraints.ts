import type { Finding, Problem } from './problems.ts'

/** The name v1 gives a problem. Codes that no constraint stands for, such as `conflict`, are the same in both. */
export function constraintCode({ code, constraint }: Problem): string {
  return constraint ?? (code === 'required' ? 'isNotEmpty' : code)
}

/** Which constraint a schema's finding breaks; nothing where its code is its name. */
export function constraintOf({ code, issue, path }: Finding): string | undefined {
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

const TYPES: Record<string, string> = {
  string: 'isString',
  number: 'isNumber',
  int: 'isInt',
  boolean: 'isBoolean',
  array: 'isArray',
  object: 'isObject',
  record: 'isObject',
}

/** By the name of the format, else, where that is only a pattern, by the name of the member. */
const FORMATS: Record<string, string> = {
  email: 'isEmail',
  date: 'isDateFormat',
  datetime: 'isDateFormat',
  url: 'isUrl',
  phone: 'isPhoneNumber',
  country: 'isISO31661Alpha2',
  postalCode: 'isPostalCode',
}

const LEAST: Record<string, string> = { string: 'isNotEmpty', array: 'arrayMinSize' }
const MOST: Record<string, string> = { string: 'maxLength', array: 'arrayMaxSize' }

const isAboveZero = ({ minimum, inclusive }: { minimum: number | bigint; inclusive?: boolean }) =>
  Number(minimum) === (inclusive === false ? 0 : 1)
