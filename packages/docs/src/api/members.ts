import { nameOf, resolveSchema, type Parameter, type Schema } from './document.ts'
import { codeHtml, inlineHtml } from './inline.ts'
import { limitTexts, typeText, type Reading } from './type-text.ts'

type Part = 'request' | 'answer'

interface Member {
  name: string
  schema: Schema
  /** What follows the name: that a request must have it, or that an answer may lack it. */
  mark: string
  /** Where it is sent. */
  place?: string
}

/** Members that are described together; a union has a group for each variant. */
interface Group {
  /** When these members apply, as HTML. */
  label: string
  members: Member[]
}

/** The members of an object as a table, with those of nested objects below theirs. The HTML is on one line, as Markdown requires. */
export function membersTable(schema: Schema, part: Part, reading: Reading): string {
  return `<div class="members" v-pre>${groupsHtml(groupsOf(schema, part, reading), part, reading)}</div>`
}

export function parametersTable(parameters: Parameter[], reading: Reading): string {
  const members = parameters.map(({ name, in: place, description, required, schema }) => ({
    name,
    schema: { ...schema, ...(description !== undefined && { description }) },
    mark: required ? REQUIRED : '',
    place,
  }))
  return `<div class="members" v-pre>${groupsHtml([{ label: '', members }], 'request', reading)}</div>`
}

const REQUIRED = ' <span class="required">required</span>'
const OPTIONAL = ' <span class="optional">may be absent</span>'

function groupsOf(schema: Schema, part: Part, reading: Reading): Group[] {
  const { document, objects } = reading
  const { properties, required = [], items, anyOf, oneOf, discriminator } = resolveSchema(document, schema)
  const isElsewhere = (each: Schema) => objects.has(nameOf(each) ?? '')
  if (oneOf && discriminator) {
    return Object.entries(discriminator.mapping).flatMap(([value, $ref]) =>
      groupsOf({ $ref }, part, reading).map(({ members }) => ({
        label: `If ${codeHtml(discriminator.propertyName)} is ${codeHtml(value)}`,
        members,
      })),
    )
  }
  if (anyOf) return anyOf.flatMap((each) => (isElsewhere(each) ? [] : groupsOf(each, part, reading)))
  if (items) return isElsewhere(items) ? [] : groupsOf(items, part, reading)
  if (!properties) return []
  const markOf = (isRequired: boolean) =>
    part === 'request' ? (isRequired ? REQUIRED : '') : isRequired ? '' : OPTIONAL
  const members = Object.entries(properties).map(([name, each]) => ({
    name,
    schema: each,
    mark: markOf(required.includes(name)),
  }))
  return [{ label: '', members }]
}

const groupsHtml = (groups: Group[], part: Part, reading: Reading): string =>
  groups
    .map(({ label, members }) => {
      const rows = members.map((member) => rowHtml(member, part, reading)).join('')
      const head = members.some(({ place }) => place) ? 'Parameter' : 'Member'
      return `${label && `<p class="variant">${label}</p>`}<table><thead><tr><th scope="col">${head}</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`
    })
    .join('')

function rowHtml({ name, schema, mark, place }: Member, part: Part, reading: Reading): string {
  const { description = '' } = resolveSchema(reading.document, schema)
  const type = [typeText(schema, reading), ...(place === undefined ? [] : [`in ${place}`])].join(', ')
  const limits = limitTexts(schema, reading.document)
  const meaning = [
    description && `<p>${inlineHtml(description)}</p>`,
    limits.length > 0 && `<p class="limits">${limits.join(' ')}</p>`,
  ]
  const row = `<tr><th scope="row">${codeHtml(name)}${mark}<span class="type">${type}</span></th><td>${meaning.filter(Boolean).join('')}</td></tr>`
  const nested = reading.objects.has(nameOf(schema) ?? '') ? [] : groupsOf(schema, part, reading)
  if (nested.length === 0) return row
  const open = part === 'request' ? ' open' : ''
  return `${row}<tr class="nested"><td colspan="2"><details${open}><summary>Members of ${codeHtml(name)}</summary>${groupsHtml(nested, part, reading)}</details></td></tr>`
}
