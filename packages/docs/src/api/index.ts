import { openapi, operatorOpenapi } from '@order-testing/contract/openapi'
import type { Page } from '../page.ts'
import {
  jsonOf,
  nameOf,
  operationsOf,
  resolveResponse,
  resolveSchema,
  type OpenapiDocument,
  type Operation,
} from './document.ts'
import { pageText } from './inline.ts'
import { membersTable } from './members.ts'
import { operationSection } from './operation.ts'
import type { Audience } from './samples.ts'

interface Reference {
  folder: string
  audience: Audience
  title: string
  document: OpenapiDocument
  /** Where the document is served. */
  file: string
}

const references = (): Reference[] => [
  {
    folder: 'api',
    audience: 'integrator',
    title: 'API reference',
    document: openapi() as OpenapiDocument,
    file: '/openapi.json',
  },
  {
    folder: 'operator-api',
    audience: 'operator',
    title: 'API reference for operators',
    document: operatorOpenapi() as OpenapiDocument,
    file: '/api/operator/v1/openapi.json',
  },
]

/** The API references: an overview and a page for each tag. */
export const apiPages = (): Page[] =>
  references().flatMap((reference) => {
    const places = objectPlaces(reference)
    const pages = reference.document.tags.map((tag) => tagPage(tag, reference, places))
    return [overviewPage(reference), ...pages]
  })

const slugOf = (tag: string) => tag.toLowerCase().replaceAll(/\W+/g, '-')

function overviewPage({ folder, title, document, file }: Reference): Page {
  const operations = operationsOf(document)
  const lists = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ tags }) => tags.includes(name))
    const links = own.map(
      ({ summary, operationId }) => `- [${pageText(summary)}](/${folder}/${slugOf(name)}#${operationId})`,
    )
    return `### [${name}](/${folder}/${slugOf(name)})\n\n${pageText(description)}\n\n${links.join('\n')}`
  })
  const text = pageText(document.info.description).replaceAll(/^# /gm, '## ')
  const download = `<p v-pre>The same as an <a href="${file}" target="_self">OpenAPI 3.1 document</a>.</p>`
  return {
    path: `${folder}/index.md`,
    title,
    markdown: [`# ${title}`, text, '## Operations', download, ...lists].join('\n\n'),
  }
}

function tagPage(
  { name, description }: { name: string; description: string },
  reference: Reference,
  places: Places,
): Page {
  const { document, folder, audience } = reference
  const operations = operationsOf(document).filter(({ tags }) => tags.includes(name))
  const page = { document, objects: places, audience, bodies: new Map<string, string>() }
  const own = [...places].filter(([, place]) => place.startsWith(`/docs/${folder}/${slugOf(name)}#`))
  const objects = own.map(([object]) => {
    const text = document.components.schemas[object]?.description
    const table = membersTable(document.components.schemas[object]!, 'answer', page)
    return [`### ${object} {#object-${object}}`, text === undefined ? '' : pageText(text), table]
      .filter(Boolean)
      .join('\n\n')
  })
  return {
    path: `${folder}/${slugOf(name)}.md`,
    title: name,
    markdown: [
      // Search results of both references name the page.
      audience === 'operator' ? `# ${name} (operators)` : `# ${name}`,
      pageText(description),
      ...operations.map((operation) => operationSection(operation, page)),
      ...(objects.length > 0 ? ['## Objects {#objects}', ...objects] : []),
    ].join('\n\n'),
  }
}

type Places = ReadonlyMap<string, string>

/** Every object that an operation returns, alone or in a list, is described on the page of the first such operation. */
function objectPlaces({ document, folder }: Reference): Places {
  const places = new Map<string, string>()
  for (const operation of operationsOf(document).filter(({ isWebhook }) => !isWebhook))
    for (const name of returned(operation, document))
      if (!places.has(name)) places.set(name, `/docs/${folder}/${slugOf(operation.tags[0]!)}#object-${name}`)
  return places
}

function returned({ responses }: Operation, document: OpenapiDocument): string[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => {
      const schema = jsonOf(resolveResponse(document, response).content)?.schema ?? {}
      const items = resolveSchema(document, schema).properties?.['data']?.items
      return nameOf(items ?? schema) ?? []
    })
}
