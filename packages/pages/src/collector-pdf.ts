import { formatPhone } from './names.ts'
import { drawArtifact, SOFT, writeLine, writePieces, type Box, type Piece, type Writing } from './pdf-drawing.ts'
import type { CollectorView, Office, PassView } from './views.ts'

const PADDING = 8
const HEAD = 18
/** The heights of the three rows, as parts of the table. */
const ROWS = [0.42, 0.2, 0.38]
const MAX_SERVICES = 8

/** A missing fact, to be filled in by hand. */
const BLANK = '_____________________________'

/** What collectors must have before they start (49 CFR 40.14), in three rows of three. In English: collectors read it. */
export function writeCollectorHalf(writing: Writing, view: PassView, facts: CollectorView, area: Box): void {
  const { doc } = writing
  const { x, y, width } = area
  writeLine(writing, { ...strong('For the collector'), tag: 'H2', size: 11 }, { x, y, width: width / 2 })
  const source = facts.isRegulated ? '49 CFR 40.14' : ''
  if (source !== '') writeLine(writing, value(source), { x: x + width / 2, y: y + 2, width: width / 2, align: 'right' })
  const table = { ...area, y: y + HEAD, height: area.height - HEAD }
  drawArtifact(doc, () => drawGrid(writing, table))
  let top = table.y
  for (const [row, cells] of cellsOf(view, facts).entries()) {
    const height = table.height * ROWS[row]!
    for (const [column, pieces] of cells.entries()) {
      const cell = width / 3
      const box = { x: x + column * cell + PADDING, y: top + 5, width: cell - 2 * PADDING, height: height - 8 }
      writePieces(writing, pieces, box)
    }
    top += height
  }
}

const label = (text: string): Piece => ({ tag: 'H2', text, face: 'plain', size: 8, spaceAbove: 0, color: SOFT })
const value = (text: string): Piece => ({ tag: 'P', text, face: 'plain', size: 9, spaceAbove: 1 })
const strong = (text: string): Piece => ({ ...value(text), face: 'bold' })

function drawGrid({ doc }: Writing, { x, y, width, height }: Box): void {
  doc.roundedRect(x, y, width, height, 8).lineWidth(0.8).stroke('#777')
  for (const part of [1, 2]) {
    const left = x + (width * part) / 3
    doc.moveTo(left, y).lineTo(left, y + height)
  }
  const [first = 0, second = 0] = ROWS
  for (const part of [first, first + second]) doc.moveTo(x, y + height * part).lineTo(x + width, y + height * part)
  doc.lineWidth(0.5).stroke('#999')
}

function cellsOf(view: PassView, facts: CollectorView): Piece[][][] {
  const { employer, representative, administrator, reviewer, laboratories, agency } = facts
  const identifier = facts.identifier && `ID ending in ${facts.identifier.digits}`
  return [
    [
      office('Employer', employer),
      office('Employer representative (DER)', representative, { hasAddress: false }),
      office('Administrator (C/TPA)', administrator),
    ],
    [
      [label('Reason for test'), strong(facts.reason)],
      [label('DOT agency'), strong(agency ?? (facts.isRegulated ? BLANK : 'Not regulated'))],
      [label('Directly observed'), strong(facts.isObserved ? 'Yes' : 'No')],
    ],
    [
      [label('Laboratory'), ...(laboratories.length > 0 ? laboratories : [BLANK]).map(value)],
      office('Medical review officer', reviewer),
      [
        label('Participant and tests'),
        strong(view.name),
        value(identifier ?? BLANK),
        ...view.services.slice(0, MAX_SERVICES).map(({ name }) => value(name)),
        value(`Order ${view.code}`),
      ],
    ],
  ]
}

function office(title: string, given: Office | null, { hasAddress = true } = {}): Piece[] {
  const address = given?.address ?? []
  return [
    label(title),
    strong(given?.name ?? BLANK),
    ...(hasAddress ? (address.length > 0 ? address : [BLANK]).map(value) : []),
    value(given?.phone ? formatPhone(given.phone) : BLANK),
  ]
}
