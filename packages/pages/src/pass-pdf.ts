import { encode } from 'uqr'
import { clinicOffText, formatWhen } from './booking-words.ts'
import { weekRows } from './clinic.ts'
import { barsOf } from './code128.ts'
import { writeCollectorHalf } from './collector-pdf.ts'
import { formatMoment } from './formats.ts'
import { ENGLISH } from './languages/index.ts'
import { formatPhone } from './names.ts'
import { serviceNames } from './order-card.ts'
import { runsOf } from './qr.ts'
import { textsIn } from './texts.ts'
import {
  bytesOf,
  drawArtifact,
  INK,
  newDocument,
  SOFT,
  writeLine,
  writePieces,
  type Piece,
  type Writing,
} from './pdf-drawing.ts'
import type { CollectorView, Language, PassView, ServiceView } from './views.ts'
import { hasExam, kindsOf } from './visit-kinds.ts'

/** US Letter, in points. */
const PAPER = { width: 612, height: 792 }
const MARGIN = 52
const WIDTH = PAPER.width - 2 * MARGIN
/** The frame with both codes, at the right. */
const CODES = { width: 206, top: 116, height: 224 }
const FACTS = { x: MARGIN, y: 112, width: WIDTH - CODES.width - 24, height: 232 }
const ADVICE = { top: 356, height: 92 }
const COLLECTOR = { x: MARGIN, y: 460, width: WIDTH, height: 250 }
const FOOT = 727
const MAX_SERVICES = 40

/** The pass on one page: the upper half for the participant, the lower half for the collector, always in English. */
export function passPdf(
  view: PassView,
  language: Language,
  createdAt: Date,
  collector: CollectorView | null = null,
): Promise<Buffer> {
  const texts = textsIn(language)
  const doc = newDocument(`${texts.passTitle} ${view.code}`, language, createdAt)
  const root = doc.struct('Document')
  doc.addStructure(root)
  const writing = { doc, root }
  writeHead(writing, view, language)
  writeCodes(writing, view.code, language)
  writePieces(writing, factPieces(view, collector, language), FACTS)
  writeAdvice(writing, view, language)
  if (collector) writeCollectorHalf({ ...writing, lang: ENGLISH }, view, collector, COLLECTOR)
  writeFoot(writing, view, language, createdAt)
  return bytesOf(doc, root)
}

const label = (text: string): Piece => ({ tag: 'H2', text, face: 'plain', size: 8.5, spaceAbove: 9, color: SOFT })
const value = (text: string): Piece => ({ tag: 'P', text, face: 'plain', size: 10.5, spaceAbove: 1 })
const small = (text: string): Piece => ({ ...value(text), size: 8.5, color: SOFT })
const strong = (text: string): Piece => ({ tag: 'P', text, face: 'bold', size: 10.5, spaceAbove: 1 })

/** Names and addresses stay English, and screen readers should say them so. */
const inEnglish = (piece: Piece, language: Language): Piece =>
  language === ENGLISH ? piece : { ...piece, lang: ENGLISH }

/** Who asks, and what this is. */
function writeHead(writing: Writing, { brand, isClinicOff }: PassView, language: Language): void {
  const texts = textsIn(language)
  const half = WIDTH / 2 - 8
  const right = { x: MARGIN + half + 16, width: half, align: 'right' as const }
  writeLine(writing, inEnglish({ ...strong(brand.company), size: 14 }, language), { x: MARGIN, y: 54, width: half })
  writeLine(writing, small(`${texts.withTenant} ${brand.tenant}`), { x: MARGIN, y: 74, width: half })
  writeLine(writing, { ...strong(texts.testingPass), tag: 'H1', size: 18 }, { ...right, y: 51 })
  if (!isClinicOff) writeLine(writing, small(texts.pass.paper.hint), { ...right, y: 76 })
  const { doc } = writing
  drawArtifact(doc, () => doc.rect(MARGIN, 96, WIDTH, 2).fill(INK))
}

/** QR code, order code and barcode in a frame. */
function writeCodes(writing: Writing, code: string, language: Language): void {
  const texts = textsIn(language)
  const { doc, root } = writing
  const x = PAPER.width - MARGIN - CODES.width
  drawArtifact(doc, () => doc.roundedRect(x, CODES.top, CODES.width, CODES.height, 10).lineWidth(1).stroke(INK))
  const { data, size } = encode(code, { ecc: 'Q', border: 0 })
  const module = 96 / size
  const left = x + (CODES.width - 96) / 2
  root.add(
    doc.struct('Figure', { alt: texts.qrCode(code) }, () => {
      for (const [row, cells] of data.entries())
        for (const [from, wide] of runsOf(cells))
          doc.rect(left + from * module, CODES.top + 16 + row * module, wide * module, module + 0.05)
      doc.fill(INK)
    }),
  )
  const line = { x, width: CODES.width, align: 'center' as const }
  writeLine(writing, label(texts.orderCode), { ...line, y: CODES.top + 122 })
  writeLine(writing, { ...strong(code), size: 21 }, { ...line, y: CODES.top + 134 })
  const { bars, modules } = barsOf(code)
  const width = CODES.width - 8
  root.add(
    doc.struct('Figure', { alt: texts.barcode(code) }, () => {
      for (const { from, wide } of bars)
        doc.rect(x + 4 + (from * width) / modules, CODES.top + 168, (wide * width) / modules, 42)
      doc.fill(INK)
    }),
  )
}

/** When, where, who and what. */
function factPieces(view: PassView, collector: CollectorView | null, language: Language): Piece[] {
  const texts = textsIn(language)
  const { clinic, services } = view
  const { paper } = texts.pass
  const warning = clinicOffText(view, language)
  const identifier = collector?.identifier
  const kind = identifier && (paper.identifiers[identifier.type] ?? paper.identifiers['other'])
  return [
    ...(warning === null ? [] : [{ ...strong(warning), size: 12 }]),
    label(view.isArrival ? texts.clinics.plannedArrival : texts.when),
    { ...strong(formatWhen(view, language)), size: 14 },
    ...(view.isArrival ? [small(texts.arrivalHint)] : []),
    label(texts.personName),
    strong(identifier ? `${view.name} (${kind} •••${identifier.digits})` : view.name),
    label(texts.test(services.length)),
    ...services.slice(0, MAX_SERVICES).map((service) => servicePiece(service, language)),
    ...(clinic
      ? [
          label(texts.where),
          inEnglish(strong(clinic.name), language),
          ...clinic.address.map((line) => inEnglish(value(line), language)),
          ...(clinic.phone === null ? [] : [value(`${texts.telephone}: ${formatPhone(clinic.phone)}`)]),
          ...(clinic.hours ? groupedHours(weekRows(clinic.hours, language)).map(small) : []),
        ]
      : []),
  ]
}

function servicePiece(service: ServiceView, language: Language): Piece {
  const [name = ''] = serviceNames([service], language)
  return service.names[language] === undefined ? inEnglish(strong(name), language) : strong(name)
}

/** Days in a row with the same hours share a line. */
function groupedHours(rows: [day: string, spans: string][]): string[] {
  const groups: { first: string; last: string; spans: string }[] = []
  for (const [day, spans] of rows) {
    const group = groups.at(-1)
    if (group?.spans === spans) group.last = day
    else groups.push({ first: day, last: day, spans })
  }
  return groups.map(({ first, last, spans }) => `${first === last ? first : `${first} – ${last}`}: ${spans}`)
}

/** What to bring, to expect and to know, in three columns. */
function writeAdvice(writing: Writing, view: PassView, language: Language): void {
  const texts = textsIn(language)
  const { paper, visits } = texts.pass
  const kinds = kindsOf(view.services)
  const { company, brand, expiresAt } = view
  const [contact] = brand.contacts
  const phone = contact && (contact.phone === null ? contact.email : formatPhone(contact.phone))
  const due = expiresAt && formatMoment(expiresAt, language, view.clinic?.timezone ?? view.timezone)
  const brought = kinds.flatMap((kind) => visits[kind].short.bring ?? [])
  const columns = [
    [paper.bring, paper.photoId, paper.thisPass, ...new Set(brought)],
    [
      paper.expect,
      hasExam(kinds) ? paper.minutesWithExam : paper.minutes,
      ...kinds.map((kind) => visits[kind].short.expect),
      paper.stay,
    ],
    [
      paper.know,
      texts.noCost,
      ...(due ? [paper.goBy(due)] : []),
      contact ? `${texts.questions} ${contact.name} ${phone ?? ''}` : `${texts.questions} ${texts.askCompany(company)}`,
    ],
  ]
  const { doc } = writing
  drawArtifact(doc, () => doc.roundedRect(MARGIN, ADVICE.top, WIDTH, ADVICE.height, 10).fill('#f1f1f1'))
  const width = (WIDTH - 2 * 14 - 2 * 16) / 3
  for (const [i, [title, ...items]] of columns.entries()) {
    const box = { x: MARGIN + 14 + i * (width + 16), y: ADVICE.top + 9, width, height: ADVICE.height - 16 }
    const pieces = items.map((text) => ({ ...value(text), size: 9, spaceAbove: 1.5, isItem: true }))
    writePieces(writing, [{ ...strong(title!), tag: 'H2', size: 9.5 }, ...pieces], box)
  }
}

function writeFoot(writing: Writing, view: PassView, language: Language, createdAt: Date): void {
  const { paper } = textsIn(language).pass
  const printed = formatMoment(createdAt, language, view.clinic?.timezone ?? view.timezone)
  const half = WIDTH / 2 - 4
  const { doc } = writing
  drawArtifact(doc, () => doc.rect(MARGIN, FOOT - 6, WIDTH, 0.5).fill('#999'))
  writeLine(writing, { ...small(paper.printed(view.code, printed)), size: 8 }, { x: MARGIN, y: FOOT, width: half })
  const right = { x: MARGIN + half + 8, y: FOOT, width: half, align: 'right' as const }
  writeLine(writing, { ...small(paper.latest), size: 8 }, right)
}
