import PdfKit from 'pdfkit'
import {
  breakLines,
  fonts,
  isRightToLeft,
  toPrintable,
  toVisualOrder,
  truncateLine,
  widthOf,
  type Face,
} from './typesetting.ts'
import type { Language } from './views.ts'

export type Doc = InstanceType<typeof PdfKit>
export type Structure = ReturnType<Doc['struct']>

/** A paragraph. */
export interface Piece {
  tag: 'H1' | 'H2' | 'P'
  text: string
  face: Face
  size: number
  spaceAbove: number
  color?: string
  /** The language, if it is not that of the document. */
  lang?: Language | undefined
  /** Begins with a bullet, and the lines below it are indented. */
  isItem?: boolean
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export const INK = '#000'
/** Dark enough for a gray printer. */
export const SOFT = '#4a4a4a'
const LEADING = 1.3
const INDENT = 9
/** Long texts get a smaller font; what still does not fit is cut. */
const SCALES = [1, 0.9, 0.8, 0.7]

export function newDocument(title: string, language: Language, createdAt: Date): Doc {
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

/** Lines and areas that screen readers skip. */
export function drawArtifact(doc: Doc, draw: () => void): void {
  doc.markContent('Artifact', { type: 'Layout' })
  draw()
  doc.endMarkedContent()
}

export interface Writing {
  doc: Doc
  root: Structure
  /** The language, if it is not that of the document. */
  lang?: Language
}

/** Writes paragraphs below each other into a box, as large as fits. Returns the lower edge of the last line. */
export function writePieces({ doc, root, lang }: Writing, pieces: readonly Piece[], box: Box): number {
  const scale = SCALES.find((each) => fits(pieces, box, each)) ?? SCALES.at(-1)!
  const placed = layOut(pieces, box, scale)
  for (const { piece, lines } of placed)
    root.add(
      doc.struct(piece.tag, optionsOf(piece, lang), () => {
        const line = { ...piece, size: piece.size * scale }
        if (piece.isItem && lines[0]) drawLine(doc, { ...line, text: '•', x: box.x, y: lines[0].y })
        for (const { text, y } of lines) drawLine(doc, { ...line, text, x: box.x + indentOf(piece), y })
      }),
    )
  return placed.at(-1)?.bottom ?? box.y
}

/** Writes one line that ends at the right edge, or is centered, or starts at the left edge. */
export function writeLine(
  { doc, root, lang }: Writing,
  piece: Piece,
  { x, y, width, align = 'left' }: Omit<Box, 'height'> & { align?: 'left' | 'center' | 'right' },
): void {
  const isShort = (line: string) => widthOf(line, piece.face, piece.size) <= width
  const printable = toPrintable(piece.text)
  const text = isShort(printable) ? printable : truncateLine(printable, isShort)
  const rest = width - widthOf(text, piece.face, piece.size)
  const left = x + (align === 'left' ? 0 : align === 'center' ? rest / 2 : rest)
  root.add(doc.struct(piece.tag, optionsOf(piece, lang), () => drawLine(doc, { ...piece, text, x: left, y })))
}

export function bytesOf(doc: Doc, root: Structure): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
    root.end()
    doc.end()
  })
}

function optionsOf({ text, lang: own }: Piece, general: Language | undefined) {
  const lang = own ?? general
  return { ...actualText(text), ...(lang && { lang }) }
}

/** The text for screen readers if the drawn glyphs are reordered or replaced. */
const actualText = (text: string) =>
  /^[\u0020-\u024f\u2000-\u206f]*$/.test(text) ? {} : { actual: text.replaceAll(/\p{C}/gu, '') }

interface Line extends Pick<Piece, 'text' | 'face' | 'size' | 'color'> {
  x: number
  y: number
}

/** fontkit orders the letters within right-to-left words, but not the words. */
function drawLine(doc: Doc, { text, x, y, face, size, color = INK }: Line): void {
  doc.font(face, size).fillColor(color)
  let at = x
  for (const word of isRightToLeft(text) ? toVisualOrder(text) : [text]) {
    doc.text(word, at, y, { lineBreak: false })
    at += doc.widthOfString(`${word} `)
  }
}

const indentOf = ({ isItem }: Piece) => (isItem ? INDENT : 0)

const fits = (pieces: readonly Piece[], box: Box, scale: number) =>
  layOut(pieces, { ...box, height: Number.POSITIVE_INFINITY }, scale).every(
    ({ bottom }) => bottom <= box.y + box.height,
  )

interface PlacedPiece {
  piece: Piece
  lines: { text: string; y: number }[]
  bottom: number
}

/** Places paragraphs below each other until the box is full. */
function layOut(pieces: readonly Piece[], { y: top, width, height: most }: Box, scale: number): PlacedPiece[] {
  const placed: PlacedPiece[] = []
  let y = top
  for (const piece of pieces) {
    const isShort = (line: string) => widthOf(line, piece.face, piece.size * scale) <= width - indentOf(piece)
    const height = piece.size * scale * LEADING
    y += piece.spaceAbove * scale
    const all = breakLines(toPrintable(piece.text), isShort)
    const room = Math.floor((top + most - y) / height)
    if (room < 1) break
    const lines = all.length > room ? [...all.slice(0, room - 1), truncateLine(all[room - 1]!, isShort)] : all
    const bottom = y + lines.length * height
    placed.push({ piece, lines: lines.map((text, i) => ({ text, y: y + i * height })), bottom })
    y = bottom
  }
  return placed
}
