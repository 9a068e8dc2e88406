import { z } from 'zod'
import { CatalogFile } from './catalog.ts'
import { omittedEntry, limitProblems, parse, type Parsed, type Problem } from './problems.ts'

/** Reading stops after this many problems, so that a hostile file costs little. */
const ENOUGH = 1_000

const unread = z.array(z.unknown()).default([])
const { services, packages, clinics, companies, tokens } = CatalogFile.shape
const company = companies.unwrap().element
const location = company.shape.locations.unwrap().element

/** The file and a company without the content of their lists. */
const Head = CatalogFile.extend({
  services: unread,
  packages: unread,
  clinics: unread,
  companies: unread,
  tokens: unread,
})
const CompanyHead = company.extend({ locations: unread })

/**
 * Parses a catalog file entry by entry. The schema of the whole file would collect every problem first, and a file of a
 * few megabytes can have millions of them. `listsAll` is for a file of somebody who may fill our memory anyway.
 */
export function parseCatalogFile(content: unknown, { listsAll = false } = {}): Parsed<CatalogFile> {
  const problems: Problem[] = []
  const read = <S extends z.ZodType>(schema: S, input: unknown, pointer: string): z.output<S> | undefined => {
    if (!listsAll && problems.length >= ENOUGH) return undefined
    const parsed = parse(schema, input)
    if (parsed.ok) return parsed.value
    for (const problem of parsed.problems) problems.push(within(pointer, problem))
    return undefined
  }
  const entries = <S extends z.ZodType>(schema: S, list: unknown[], pointer: string): z.output<S>[] =>
    list.flatMap((entry, i) => read(schema, entry, `${pointer}/${i}`) ?? [])
  const head = read(Head, content, '')
  if (!head) return { ok: false, problems }
  const file = {
    ...head,
    services: entries(services.unwrap().element, head.services, '/services'),
    packages: entries(packages.unwrap().element, head.packages, '/packages'),
    clinics: entries(clinics.unwrap().element, head.clinics, '/clinics'),
    companies: head.companies.flatMap((entry, i) => {
      const found = read(CompanyHead, entry, `/companies/${i}`)
      return found ? [{ ...found, locations: entries(location, found.locations, `/companies/${i}/locations`) }] : []
    }),
    tokens: entries(tokens.unwrap().element, head.tokens, '/tokens'),
  }
  if (problems.length === 0) return { ok: true, value: file }
  if (listsAll) return { ok: false, problems }
  return { ok: false, problems: problems.length < ENOUGH ? limitProblems(problems) : unfinished(problems) }
}

/** A problem of a part, with a pointer from the root of the file. */
const within = (part: string, { pointer = '', ...problem }: Problem): Problem =>
  part + pointer === '' ? problem : { ...problem, pointer: part + pointer }

function unfinished(problems: Problem[]): Problem[] {
  const limited = limitProblems(problems)
  const { omitted = 0 } = limited.at(-1)!
  return [
    ...limited.slice(0, -1),
    { ...omittedEntry(omitted), detail: `At least ${omitted} more problems are not listed. Fix the ones above first.` },
  ]
}
