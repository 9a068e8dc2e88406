import { isReached, type Figure } from './report.ts'

const ROW = 24
const LABEL = 330
const WIDTH = 900
/** A bar of this length is the goal. */
const GOAL = 320

/** Bars relative to their goals, longer is better: for a time, the bar is the goal divided by the ratio. */
export function drawChart(figures: readonly Figure[]): string {
  const shown = figures.filter(({ goal }) => goal !== undefined)
  const height = (shown.length + 2) * ROW
  const rows = shown.map((figure, i) => drawRow(figure, (i + 1) * ROW))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    '<title>Ratios relative to their goals</title>',
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...rows,
    `<line x1="${LABEL + GOAL}" x2="${LABEL + GOAL}" y1="${ROW / 2}" y2="${height - ROW}" stroke="#1f2937" stroke-dasharray="3 3"/>`,
    `<text x="${LABEL + GOAL}" y="${height - ROW / 3}" text-anchor="middle" fill="#1f2937">goal</text>`,
    '</svg>',
    '',
  ].join('\n')
}

function drawRow(figure: Figure, y: number): string {
  const { name, ratio, goal } = figure
  const part = goal === undefined ? 0 : 'least' in goal ? ratio / goal.least : goal.most / ratio
  const length = Math.min(part * GOAL, WIDTH - LABEL - 60)
  const color = isReached(figure) ? '#0f766e' : '#b45309'
  return [
    `<text x="${LABEL - 8}" y="${y + 13}" text-anchor="end" fill="#1f2937">${escape(name)}</text>`,
    `<rect x="${LABEL}" y="${y + 2}" width="${length.toFixed(1)}" height="${ROW - 8}" fill="${color}"/>`,
    `<text x="${(LABEL + length + 6).toFixed(1)}" y="${y + 13}" fill="#1f2937">${ratio.toFixed(2)}</text>`,
  ].join('')
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
