import { readFile } from 'node:fs/promises'
import { CatalogRefusal, type Source } from '../operations/catalog.ts'

/** Reads catalog files; what cannot be read or is no JSON is told for all of them at once. */
export async function readCatalogs(paths: string[]): Promise<Source[]> {
  const read = await Promise.allSettled(paths.map((path) => readCatalog(path)))
  const refusals = read.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  const unexpected = refusals.find((reason) => !(reason instanceof CatalogRefusal))
  if (unexpected) throw unexpected
  if (refusals.length > 0) throw new CatalogRefusal(refusals.flatMap((refusal) => (refusal as CatalogRefusal).problems))
  return read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

async function readCatalog(path: string): Promise<Source> {
  const refusal = (detail: string) => new CatalogRefusal([{ code: 'badRequest', detail, source: path }])
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw refusal(`Cannot be read: ${error.message}`)
  })
  try {
    return { name: path, content: JSON.parse(text) as unknown }
  } catch (error) {
    throw refusal(`Is not JSON: ${(error as Error).message}`)
  }
}
