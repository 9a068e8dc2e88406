import { z } from 'zod'
import { openEnum } from './primitives.ts'

/** An error body has at most this many entries (ruling 39). */
export const MOST_PROBLEMS = 100

/** The codes of v2 answers. Clients must tolerate others, so the schema below accepts any string. */
export const ERROR_CODES = [
  'backgroundCheckIntegrationNotConfigured',
  'badRequest',
  'conflict',
  'insufficientScope',
  'internalError',
  'invalidElement',
  'invalidFormat',
  'invalidKey',
  'invalidScheduleStrategy',
  'invalidState',
  'invalidType',
  'invalidUnion',
  'invalidValue',
  'linkRequiredBackground',
  'notFound',
  'notMultipleOf',
  'required',
  'scheduleClinicExcludedByFeeCap',
  'scheduleConfiguredClinicUnavailable',
  'tooBig',
  'tooManyRequests',
  'tooSmall',
  'unauthenticated',
  'unrecognizedKeys',
] as const

/** The page that explains an error code. */
export const errorDocs = (code: string) => `/docs/reference/errors#${code}`

export type ErrorCode = (typeof ERROR_CODES)[number]

const ErrorEntry = z
  .object({
    code: openEnum(ERROR_CODES).describe('The kind of problem. Further codes may be added.'),
    detail: z.string().describe('What is wrong and what to do next, for people. The wording may change.'),
    meta: z
      .looseObject({
        docs: z.string().optional().describe('Where the code is explained.'),
        regulation: z
          .string()
          .optional()
          .describe('The section of the regulation that the rule comes from, such as `49 CFR 40.67(b)`.'),
      })
      .optional()
      .describe('Data about the problem, for programs.'),
    source: z.object({ pointer: z.string().describe('JSON pointer to the request field at fault.') }).optional(),
  })
  .meta({ id: 'ErrorEntry' })

export const ErrorBody = z
  .object({
    error: z.string().describe('HTTP reason phrase.'),
    errors: z
      .array(ErrorEntry)
      .max(MOST_PROBLEMS)
      .describe(
        'One entry per problem, at most 100. If there are more, the last entry is a `badRequest` whose `meta.omitted` is the number of problems not listed.',
      ),
    statusCode: z.int().describe('HTTP status code.'),
  })
  .meta({ id: 'ErrorBody', description: 'The body of every error response.' })

export type ErrorBody = z.infer<typeof ErrorBody>
