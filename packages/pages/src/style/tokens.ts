/** The colors of all pages by scheme. A test computes the contrast of the pairs that pages use. */
export const LIGHT = {
  bg: '#F6F4EF',
  surface: '#FFFFFF',
  sunken: '#F0EDE6',
  text: '#1B2326',
  muted: '#545F64',
  line: '#DFDAD0',
  control: '#788287',
  accent: '#0B5D5B',
  'accent-hover': '#084846',
  'on-accent': '#FFFFFF',
  'accent-soft': '#E5F0EE',
  ok: '#17693C',
  'ok-soft': '#E3F2E8',
  warn: '#7D4B00',
  'warn-soft': '#FCF0D9',
  bad: '#B3261E',
  'bad-soft': '#FCEBE9',
  info: '#1D5A94',
  'info-soft': '#E8F0F9',
  'on-bad': '#FFFFFF',
  track: '#CFCCC6',
  land: '#F2EFE6',
  water: '#CFE1EC',
}

export type Tokens = typeof LIGHT

export const DARK: Tokens = {
  bg: '#121718',
  surface: '#1B2224',
  sunken: '#242D2F',
  text: '#EDF1F0',
  muted: '#A8B4B6',
  line: '#343F42',
  control: '#7F8D91',
  accent: '#72CFC7',
  'accent-hover': '#8FDDD6',
  'on-accent': '#06201F',
  'accent-soft': '#17322F',
  ok: '#77D49C',
  'ok-soft': '#15301F',
  warn: '#F2C46D',
  'warn-soft': '#342812',
  bad: '#FFA097',
  'bad-soft': '#3D1C19',
  info: '#94C5F6',
  'info-soft': '#152A40',
  'on-bad': '#2B0906',
  track: '#343F42',
  land: '#222A2C',
  water: '#14212B',
}

export const declare = (tokens: Partial<Tokens>): string =>
  Object.entries(tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

export const TOKENS = `
:root{color-scheme:light dark;${declare(LIGHT)}}
@media (prefers-color-scheme:dark){:root{${declare(DARK)}}}
`
