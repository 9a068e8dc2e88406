import { readFile, writeFile } from 'node:fs/promises'
import { arch, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { drawChart } from './chart.ts'

/** Reached when the ratio is at least, or at most, this. */
export type Goal = { least: number } | { most: number }

/** What was measured, against what, and the ratio of both. Only ratios carry over to another machine. */
export interface Figure {
  name: string
  against: string
  ours: string
  theirs: string
  ratio: number
  goal?: Goal | undefined
}

interface Measured {
  /** The day and the machine of the run. */
  day: string
  machine: string
  figures: Figure[]
}

/** The parts that were measured, by processor architecture and name of the part. */
type Kept = Record<string, Record<string, Measured>>

const DOCS = new URL('../../docs/', import.meta.url)
const KEPT = fileURLToPath(new URL('performance.json', DOCS))
const PAGE = fileURLToPath(new URL('performance.md', DOCS))
const CHART = fileURLToPath(new URL('performance.svg', DOCS))

const BEGIN = '<!-- figures -->'
const END = '<!-- end of figures -->'

/** Prints figures as they are measured, and keeps them for `docs/performance.md`. */
export class Report {
  readonly #print: (line: string) => void
  readonly #parts = new Map<string, Figure[]>()
  #part = ''

  constructor(print: (line: string) => void) {
    this.#print = print
  }

  begin(part: string): void {
    this.#part = part
    this.#parts.set(part, [])
    this.#print('')
    this.#print(line(part, 'ours', 'theirs', 'ratio', 'goal', 'against'))
  }

  add(figure: Figure): void {
    this.#parts.get(this.#part)!.push(figure)
    const { name, ours, theirs, against, ratio, goal } = figure
    this.#print(line(name, ours, theirs, ratio.toFixed(2), goal ? `${goalText(goal)} ${isMet(figure)}` : '', against))
  }

  /** A rate of ours against one of a limit or peer. */
  addRates(name: string, against: string, { ours, theirs }: { ours: number; theirs: number }, goal?: Goal): void {
    this.add({ name, against, ours: `${whole(ours)}/s`, theirs: `${whole(theirs)}/s`, ratio: ours / theirs, goal })
  }

  /** A time in milliseconds against another. */
  addTimes(name: string, against: string, { ours, theirs }: { ours: number; theirs: number }, goal?: Goal): void {
    this.add({
      name,
      against,
      ours: `${ours.toFixed(2)} ms`,
      theirs: `${theirs.toFixed(2)} ms`,
      ratio: ours / theirs,
      goal,
    })
  }

  /** Replaces the figures of the measured parts in the documentation. */
  async write(): Promise<void> {
    const kept = await readKept()
    const measured = (kept[arch()] ??= {})
    const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? arch()}`
    const day = new Date().toISOString().slice(0, 10)
    for (const [part, figures] of this.#parts) measured[part] = { day, machine, figures }
    await writeFile(KEPT, `${JSON.stringify(kept, null, 2)}\n`)
    await writeFile(CHART, drawChart(Object.values(measured).flatMap(({ figures }) => figures)))
    const page = await readFile(PAGE, 'utf8')
    const [before, after] = [page.slice(0, page.indexOf(BEGIN)), page.slice(page.indexOf(END))]
    await writeFile(
      PAGE,
      `${before}${BEGIN}\n\n![Ratios relative to their goals](performance.svg)\n\n${tablesOf(kept)}\n${after}`,
    )
  }
}

async function readKept(): Promise<Kept> {
  const text = await readFile(KEPT, 'utf8').catch(() => '{}')
  return JSON.parse(text) as Kept
}

const tablesOf = (kept: Kept): string =>
  Object.entries(kept)
    .flatMap(([processor, parts]) => [
      `### ${processor}\n`,
      ...Object.entries(parts).map(([part, measured]) => tableOf(part, measured)),
    ])
    .join('\n')

const tableOf = (part: string, { day, machine, figures }: Measured): string =>
  [
    `**${part}** (${day}, ${machine})\n`,
    '| | against | ours | theirs | ratio | goal |',
    '|-|-|-:|-:|-:|-|',
    ...figures.map((figure) => {
      const { name, against, ours, theirs, ratio, goal } = figure
      const wanted = goal ? `${goalText(goal)}, ${isMet(figure)}` : ''
      return `| ${name} | ${against} | ${ours} | ${theirs} | ${ratio.toFixed(2)} | ${wanted} |`
    }),
    '',
  ].join('\n')

export const isReached = ({ ratio, goal }: Figure): boolean =>
  goal === undefined || ('least' in goal ? ratio >= goal.least : ratio <= goal.most)

const isMet = (figure: Figure) => (isReached(figure) ? 'met' : 'missed')

const goalText = (goal: Goal) => ('least' in goal ? `≥ ${goal.least}` : `≤ ${goal.most}`)

const whole = (value: number) => Math.round(value).toLocaleString('en-US')

const line = (name: string, ...cells: string[]) =>
  name.padEnd(52) + cells.map((cell, i) => (i < 3 ? cell.padStart(14) : `  ${cell.padEnd(15)}`)).join('')
