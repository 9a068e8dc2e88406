import { lastInitial } from '../masks.ts'

/** What stands for a hidden field. */
const HIDDEN = '••••'

/**
 * The segments that say nothing of a person, and which of their fields may be shown while findings are hidden: everything else
 * may tell what was found. Segments that are not listed may be about a person; of these only the first field is shown.
 */
const IMPERSONAL: Record<string, readonly number[] | 'all'> = {
  MSH: 'all',
  SFT: 'all',
  ORC: [1, 2, 3, 5, 9],
  OBR: [1, 2, 3, 4, 7, 14, 22, 25],
  OBX: [1, 2, 3, 4, 11, 14],
  SPM: [1, 2, 4, 17, 18],
  NTE: [1],
}

interface Shown {
  /** Whether persons are shown in full. */
  persons: boolean
  findings: boolean
}

/** An HL7 message with everything hidden that must be. */
export function maskHl7(message: string, shown: Shown): string {
  const lines = message.split(/\r\n?|\n/).filter((line) => line !== '')
  const [header = ''] = lines
  const separator = header[3] ?? '|'
  const component = header[4] ?? '^'
  const traces = shown.persons ? [] : tracesOf(lines, { separator, component })
  return lines
    .map((line) => {
      const [name = '', ...values] = line.split(separator)
      // The separator itself is the first field of the header.
      const first = name === 'MSH' ? 2 : 1
      const masked = values.map((value, index) => {
        const field = { name, position: index + first, value }
        return value === '' ? '' : maskField(field, { shown, component, traces })
      })
      return [isSegmentName(name) ? name : HIDDEN, ...masked].join(separator)
    })
    .join('\r')
}

/**
 * The text of a message that was refused, with what a laboratory found hidden: nobody knows whether its test awaits a medical
 * review. In full, a text that is no HL7 at all, such as a request that went to the wrong port, is shown as it is.
 */
export function maskRefused(text: string, { persons }: Pick<Shown, 'persons'>): string {
  if (persons && !HAS_SEGMENT.test(text)) return text
  return maskHl7(text.replace(/^[\s\uFEFF]+/, ''), { persons, findings: false })
}

const HAS_SEGMENT = /(?:^|[\s\uFEFF])[A-Z][A-Z0-9]{2}[^\w\s]/

/** A line that is no segment may hold anything. */
const isSegmentName = (name: string) => /^[A-Z][A-Z0-9]{2}$/.test(name)

interface Field {
  name: string
  position: number
  value: string
}

interface Masking {
  shown: Shown
  component: string
  traces: RegExp[]
}

function maskField({ name, position, value }: Field, { shown, component, traces }: Masking): string {
  const known = Object.hasOwn(IMPERSONAL, name) ? IMPERSONAL[name] : undefined
  if (known === undefined) {
    // Nobody knows what a segment tells that only the sender defines.
    if (!shown.findings && !isPerson(name)) return HIDDEN
    return shown.persons ? value : maskPerson({ name, position, value }, component)
  }
  if (!shown.findings && known !== 'all' && !known.includes(position)) return HIDDEN
  return known === 'all' ? value : traces.reduce((text, trace) => text.replaceAll(trace, HIDDEN), value)
}

/** Segments that identify people and say nothing of a test. */
const isPerson = (name: string) => ['PID', 'PD1', 'NK1', 'GT1', 'IN1', 'IN2'].includes(name)

const PERSON_NAME = 5

function maskPerson({ name, position, value }: Field, component: string): string {
  if (position === 1 && /^\d{1,4}$/.test(value)) return value
  if (name !== 'PID' || position !== PERSON_NAME) return HIDDEN
  const [last = '', first = ''] = value.split(component)
  return `${lastInitial(last)}${component}${first}`
}

/** Birth date, address, phone numbers, social security number and driver license in PID. */
const TELLING = [7, 11, 13, 14, 19, 20]
/** Shorter texts appear by chance. */
const SHORTEST_TRACE = 4
/** A message has one person, or a few; more would only cost time. */
const MOST_TRACES = 50

/** What identifies the person, in case a remark or an observation repeats it. */
function tracesOf(lines: string[], { separator, component }: { separator: string; component: string }): RegExp[] {
  const pids = lines.map((line) => line.split(separator)).filter(([name]) => name === 'PID')
  const texts = pids.flatMap((fields) => [
    fields[PERSON_NAME]?.split(component)[0] ?? '',
    ...TELLING.flatMap((position) => fields[position]?.split(component) ?? []),
  ])
  const telling = new Set(texts.map((text) => text.trim()).filter(({ length }) => length >= SHORTEST_TRACE))
  return [...telling]
    .slice(0, MOST_TRACES)
    .map((text) => new RegExp(`(?<![\\p{L}\\d])${escapeText(text)}(?![\\p{L}\\d])`, 'giu'))
}

const escapeText = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
