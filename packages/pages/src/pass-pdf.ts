import PdfKit from 'pdfkit'
import { clinicOffText, formatWhen } from './booking-words.ts'
import { weekRows } from './clinic.ts'
import { barsOf } from './code128.ts'
import { formatPhone } from './names.ts'
import { serviceNames } from './order-card.ts'
import { textsIn } from './texts.ts'
import {
  fonts,
  toVisualOrder,
  isRightToLeft,
  breakLines,
  toPrintable,
  truncateLine,
  widthOf,
  type Face,
} from './typesetting.ts'
import type { Language, PassView } from './views.ts'

/** US Letter, in points. */
const PAPER = { width: 612, height: 792 }
const MARGIN = 54
const GAP = 30
const LEADING = 1.35
/** The frame with order code and barcode, over the full width. */
const CODE = { top: 122, height: 164, barcodeWidth: 330, barcodeHeight: 68 }
const COLUMNS_TOP = CODE.top + CODE.height + 20
const LEFT_WIDTH = 272
const COLUMNS = [
  { x: MARGIN, width: LEFT_WIDTH },
  { x: MARGIN + LEFT_WIDTH + GAP, width: PAPER.width - 2 * MARGIN - LEFT_WIDTH - GAP },
] as const
/** Long passes get a smaller font; what still does not fit is cut. */
const SCALES = [1, 0.9, 0.8, 0.7]
const MAX_SERVICES = 40

/** The pass on one page, in black and white, with the same texts as its page. */
export function passPdf(view: PassView, language: Language, createdAt: Date): Promise<Buffer> {
  const texts = textsIn(language)
  const doc = newDocument(`${texts.passTitle} ${view.code}`, language, createdAt)
  const root = doc.struct('Document')
  doc.addStructure(root)
  const put = (tag: string, text: string, draw: () => void) => root.add(doc.struct(tag, actualText(text), draw))
  put('H1', texts.passTitle, () =>
    drawLine(doc, { text: texts.passTitle, x: MARGIN, y: MARGIN, face: 'bold', size: 26 }),
  )
  const hint = view.isClinicOff ? '' : texts.passHint
  put('P', hint, () => drawLine(doc, { text: hint, x: MARGIN, y: MARGIN + 36, face: 'plain', size: 11 }))
  drawCode(doc, root, view.code, language)
  const columns = [whereAndWhen(view, language), whoAndWhat(view, language)]
  const scale =
    SCALES.find((each) => columns.every((pieces, i) => fits(pieces, COLUMNS[i]!.width, each))) ?? SCALES.at(-1)!
  for (const [i, pieces] of columns.entries()) {
    for (const { piece, lines } of layOut(pieces, COLUMNS[i]!.width, scale))
      put(piece.tag, piece.text, () => {
        for (const { text, y } of lines)
          drawLine(doc, { ...piece, text, x: COLUMNS[i]!.x, y, size: piece.size * scale })
      })
  }
  return bytesOf(doc, root)
}

/** A paragraph. */
interface Piece {
  tag: 'H2' | 'P'
  text: string
  face: Face
  size: number
  spaceAbove: number
}

const label = (text: string): Piece => ({ tag: 'H2', text, face: 'plain', size: 10, spaceAbove: 14 })
const value = (text: string): Piece => ({ tag: 'P', text, face: 'plain', size: 11, spaceAbove: 2 })
const small = (text: string): Piece => ({ ...value(text), size: 10 })
const strong = (text: string): Piece => ({ tag: 'P', text, face: 'bold', size: 12, spaceAbove: 2 })
const item = (text: string): Piece => value(`• ${text}`)

function whereAndWhen(view: PassView, language: Language): Piece[] {
  const texts = textsIn(language)
  const { clinic } = view
  const warning = clinicOffText(view, language)
  const when = [...(warning === null ? [] : [strong(warning)]), label(texts.when), strong(formatWhen(view, language))]
  if (!clinic) return when
  return [
    ...when,
    label(texts.where),
    strong(clinic.name),
    ...clinic.address.map(value),
    ...(clinic.phone === null ? [] : [value(`${texts.telephone}: ${formatPhone(clinic.phone)}`)]),
    ...(clinic.hours
      ? [label(texts.hours), ...weekRows(clinic.hours, language).map((row) => small(row.join(': ')))]
      : []),
  ]
}

function whoAndWhat({ name, services, company }: PassView, language: Language): Piece[] {
  const texts = textsIn(language)
  return [
    label(texts.forWhom),
    strong(name),
    label(texts.bring),
    ...texts.bringList.map(item),
    label(texts.requestedBy),
    value(company),
    label(texts.whatIsOrdered),
    ...serviceNames(services, language).slice(0, MAX_SERVICES).map(item),
  ]
}

type Doc = InstanceType<typeof PdfKit>
type Structure = ReturnType<Doc['struct']>

function newDocument(title: string, language: Language, createdAt: Date): Doc {
  const { plain, bold } = fonts()
  const doc = new PdfKit({
    size: 'LETTER',
    margin: 0,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: language,
    info: { Title: title, CreationDate: createdAt },
    font: '',
  })
  // pdfkit also accepts parsed fonts, which its types do not declare.
  doc.registerFont('plain', plain as unknown as string)
  doc.registerFont('bold', bold as unknown as string)
  return doc
}

/** The text for screen readers if the drawn glyphs are reordered or replaced. */
const actualText = (text: string) =>
  /^[\u0020-\u024f\u2000-\u206f]*$/.test(text) ? {} : { actual: text.replaceAll(/\p{C}/gu, '') }

function drawCode(doc: Doc, root: Structure, code: string, language: Language): void {
  const texts = textsIn(language)
  const { top, height, barcodeWidth, barcodeHeight } = CODE
  const width = PAPER.width - 2 * MARGIN
  doc.markContent('Artifact', { type: 'Layout' })
  doc.roundedRect(MARGIN, top, width, height, 8).lineWidth(1).stroke('#000')
  doc.endMarkedContent()
  const centered = (text: string, face: Face, size: number, y: number) => () =>
    drawLine(doc, { text, face, size, y, x: (PAPER.width - widthOf(text, face, size)) / 2 })
  root.add(doc.struct('H2', {}, centered(texts.orderCode, 'plain', 10, top + 12)))
  root.add(doc.struct('P', {}, centered(code, 'bold', 32, top + 26)))
  const { bars, modules } = barsOf(code)
  const module = barcodeWidth / modules
  const left = (PAPER.width - barcodeWidth) / 2
  root.add(
    doc.struct('Figure', { alt: texts.barcode(code) }, () => {
      for (const { from, wide } of bars)
        doc.rect(left + from * module, top + height - 14 - barcodeHeight, wide * module, barcodeHeight)
      doc.fill('#000')
    }),
  )
}

interface Line {
  text: string
  x: number
  y: number
  face: Face
  size: number
}

/** fontkit orders the letters within right-to-left words, but not the words. */
function drawLine(doc: Doc, { text, x, y, face, size }: Line): void {
  doc.font(face, size).fillColor('#000')
  let at = x
  for (const word of isRightToLeft(text) ? toVisualOrder(text) : [text]) {
    doc.text(word, at, y, { lineBreak: false })
    at += doc.widthOfString(`${word} `)
  }
}

const fits = (pieces: Piece[], width: number, scale: number) =>
  layOut(pieces, width, scale, Number.POSITIVE_INFINITY).every(({ bottom }) => bottom <= PAPER.height - MARGIN)

interface PlacedPiece {
  piece: Piece
  lines: { text: string; y: number }[]
  bottom: number
}

/** Places paragraphs below each other until the page is full. */
function layOut(pieces: Piece[], width: number, scale: number, end = PAPER.height - MARGIN): PlacedPiece[] {
  const placed: PlacedPiece[] = []
  let y = COLUMNS_TOP
  for (const piece of pieces) {
    const isShort = (line: string) => widthOf(line, piece.face, piece.size * scale) <= width
    const height = piece.size * scale * LEADING
    y += piece.spaceAbove * scale
    const all = breakLines(toPrintable(piece.text), isShort)
    const room = Math.floor((end - y) / height)
    if (room < 1) break
    const lines = all.length > room ? [...all.slice(0, room - 1), truncateLine(all[room - 1]!, isShort)] : all
    placed.push({
      piece,
      lines: lines.map((text, i) => ({ text, y: y + i * height })),
      bottom: y + lines.length * height,
    })
    y += lines.length * height
  }
  return placed
}

function bytesOf(doc: Doc, root: Structure): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
    root.end()
    doc.end()
  })
}
