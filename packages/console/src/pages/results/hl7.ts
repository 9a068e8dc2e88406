/** A segment of an HL7 message as the service shows it: with everything hidden that must be. */
export interface Segment {
  name: string
  line: string
  fields: { position: number; text: string; isWithheld: boolean }[]
}

/** What the service puts in place of a field. */
const HIDDEN = '••••'
/** What is hidden in these identifies a person; in others, while findings are hidden, it may tell what was found. */
const PERSONS = new Set(['PID', 'PD1', 'NK1', 'GT1', 'IN1', 'IN2'])

/** Reads a message by segment, and marks what is withheld with the findings. */
export function segmentsOf(message: string, areFindingsHidden: boolean): Segment[] {
  const lines = message.split(/\r\n?|\n/).filter((line) => line !== '')
  const separator = lines[0]?.[3] ?? '|'
  return lines.map((line) => {
    const [name = '', ...values] = line.split(separator)
    const first = name === 'MSH' ? 2 : 1
    const fields = values.map((text, index) => ({
      position: index + first,
      text,
      isWithheld: areFindingsHidden && text === HIDDEN && !PERSONS.has(name),
    }))
    return { name, line, fields: fields.filter(({ text }) => text !== '') }
  })
}
