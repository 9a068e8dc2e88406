import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import {
  ALL_SCOPES,
  CatalogToken,
  expandScopes,
  mixesScopes,
  parse,
  SENDER_KINDS,
  SHORT_SCOPES,
  type Scope,
  type Sender,
} from '@order-testing/contract'
import { readList } from '../option-values.ts'

export function readScopes(text: string): Scope[] {
  const scopes = expandScopes(readList(text))
  const known = new Set<string>(ALL_SCOPES)
  const unknown = scopes.filter((scope) => !known.has(scope))
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `Unknown scope: ${unknown.join(', ')}. Valid scopes: ${[...SHORT_SCOPES, ...known].join(', ')}.`,
    )
  if (mixesScopes(scopes))
    throw new InvalidArgumentError('A token cannot combine operator.* or intake.* scopes with others.')
  return scopes
}

/** Reads `id:role` or `id:role:lab,lab`; the id may contain colons. */
export function readSender(text: string, earlier: Sender[] = []): Sender[] {
  const [, id, role, labs] = new RegExp(`^(.+):(${SENDER_KINDS.join('|')})(?::(.*))?$`).exec(text) ?? []
  if (id === undefined)
    throw new InvalidArgumentError(`Expected id:role with one of the roles ${SENDER_KINDS.join(', ')}.`)
  return [...earlier, { id, role: role as Sender['role'], ...(labs !== undefined && { labs: readList(labs) }) }]
}

export function readSenders(path: string): Sender[] {
  const parsed = parse(CatalogToken.shape.senders.unwrap(), readJson(path))
  if (parsed.ok) return parsed.value
  const problems = parsed.problems.map(({ pointer = '', detail }) => `${path}#${pointer}: ${detail}`)
  throw new InvalidArgumentError(problems.join('\n'))
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new InvalidArgumentError(`Cannot read ${path} as JSON: ${(error as Error).message}`)
  }
}

/** Checks a value as a catalog file would. */
export const readMember = (member: 'id' | 'name') => (text: string) => {
  const parsed = CatalogToken.shape[member].safeParse(text)
  if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues.map(({ message }) => message).join(' '))
  return parsed.data
}
