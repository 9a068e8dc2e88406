import { stripVTControlCharacters } from 'node:util'
import { mode } from './mode.ts'

/** What decides about colors. */
export interface ColorFacts {
  isTTY: boolean | undefined
  env: NodeJS.ProcessEnv
  /** False with --no-color. */
  isWanted: boolean
}

/** NO_COLOR wins over FORCE_COLOR, so that nobody who cannot use colors gets them. */
export function mayColor({ isTTY = false, env, isWanted }: ColorFacts): boolean {
  if (!isWanted || env['NO_COLOR']) return false
  const forced = env['FORCE_COLOR']
  if (forced) return forced !== '0' && forced !== 'false'
  return isTTY && env['TERM'] !== 'dumb'
}

export type Output = NodeJS.WriteStream

export const hasColors = (stream: Pick<Output, 'isTTY'>) =>
  mayColor({ isTTY: stream.isTTY, env: process.env, isWanted: mode.color && !mode.json })

/** Texts are painted first. Writing them removes the colors that the stream cannot show. */
export const fitColors = (text: string, stream: Pick<Output, 'isTTY'>) =>
  hasColors(stream) ? text : stripVTControlCharacters(text)

const painter = (on: number, off: number) => (text: string) => `\u001B[${on}m${text}\u001B[${off}m`

export const bold = painter(1, 22)
export const dim = painter(2, 22)
export const red = painter(31, 39)
export const green = painter(32, 39)
export const yellow = painter(33, 39)
export const cyan = painter(36, 39)

const WORDS: [paint: (text: string) => string, words: string[]][] = [
  [green, ['negative', 'negativeDilute', 'pass', 'fitForDuty', 'complete', 'released']],
  [green, ['active', 'applied', 'closed', 'delivered', 'genuine', 'intact', 'ok', 'sent']],
  [red, ['positive', 'adulterated', 'substituted', 'fail', 'notFitForDuty', 'integrationError']],
  [red, ['failed', 'open', 'problem', 'revoked']],
  [yellow, ['nonNegative', 'lostInTransit', 'noShow', 'unobtainable', 'incomplete']],
  [yellow, ['expired', 'halfOpen', 'held', 'queued', 'uncertain', 'waiting', 'warning']],
  [dim, ['cancelled', 'testCancelled', 'testNotPerformed', 'dropped', 'ended']],
]

const PAINTERS = new Map(WORDS.flatMap(([paint, words]) => words.map((word) => [word, paint] as const)))

/** Paints a status, a state or a finding; `as` is the word that decides where the text says more. */
export const paintState = (text: string, as = text) => PAINTERS.get(as)?.(text) ?? text
