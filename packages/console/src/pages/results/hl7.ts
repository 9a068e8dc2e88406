/** A segment of an HL7 message as it may be shown. */
export interface Segment {
  name: string
  /** The line with everything hidden that must be. */
  line: string
  fields: { position: number; text: string; isWithheld: boolean }[]
}

const DOTS = '••••'
/** Segments about people: of these only the set id and, of the participant, a short name is shown. */
const PERSONS = new Set(['PID', 'NK1', 'GT1', 'IN1', 'PD1'])

/** What is shown of a report whose findings are withheld. Everything else may tell what was found. */
const HARMLESS: Record<string, readonly number[]> = {
  ORC: [1, 2, 3, 5, 9],
  OBR: [1, 2, 3, 4, 7, 14, 22, 25],
  OBX: [1, 2, 3, 4, 11, 14],
  SPM: [1, 2, 4, 17, 18],
  NTE: [1],
}

/** Reads a message by segment. Persons are always masked; findings if they are withheld. */
export function segmentsOf(message: string, isWithheld: boolean): Segment[] {
  const lines = message.split(/\r\n?|\n/).filter((line) => line !== '')
  const separator = lines[0]?.[3] ?? '|'
  return lines.map((line) => {
    const [name = '', ...values] = line.split(separator)
    const isHeader = name === 'MSH'
    const shown = values.map((value, index) => {
      const position = index + (isHeader ? 2 : 1)
      const text = maskField(name, position, value)
      const isHidden = isWithheld && !isHeader && !PERSONS.has(name) && !HARMLESS[name]?.includes(position)
      return { position, text: isHidden && value !== '' ? DOTS : text, isWithheld: isHidden && value !== '' }
    })
    return {
      name,
      line: [name, ...shown.map(({ text }) => text)].join(separator),
      fields: shown.filter(({ text }) => text !== ''),
    }
  })
}

function maskField(segment: string, position: number, value: string): string {
  if (!PERSONS.has(segment) || value === '' || position === 1) return value
  if (segment !== 'PID' || position !== 5) return DOTS
  const [last = '', first = ''] = value.split('^')
  return `${last.slice(0, 1)}.^${first}`
}
