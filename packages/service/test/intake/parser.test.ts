import { describe, expect, test } from 'vitest'
import { readSegments } from '../../src/intake/hl7.ts'
import { header } from './given.ts'

const read = (text: string | Buffer) => readSegments(Buffer.from(text))
const noted = (text: string, msh = header('1')) => read(`${msh}\rNTE|1||${text}|`)[1]!.text(3)

describe('escapes', () => {
  test.each([
    [String.raw`a\F\b\S\c\T\d\R\e\E\f`, String.raw`a|b^c&d~e\f`],
    [String.raw`\E\F\E\ `, String.raw`\F\ `.trim()],
    [String.raw`one\.br\two\.sp\three`, 'one\ntwo\nthree'],
    [String.raw`\H\high\N\ \.in+4\low\.fi\ `, 'high low'],
    [String.raw`\X41\\x4a6F\ `, 'AJo'],
    [String.raw`\XC3A9\\XE282AC\ `, 'é€'],
    [String.raw`\XC3\ \X4\ \XZZ\ `, String.raw`\XC3\ \X4\ \XZZ\ `.trim()],
    [String.raw`C:\temp \T\ \Z12\ and \ `, String.raw`C:\temp & \Z12\ and \ `.trim()],
    ['""', ''],
    ['"quoted"', '"quoted"'],
  ])('the escape %s is read as %j', (raw, text) => {
    expect(noted(raw)).toBe(text)
  })

  test('hexadecimal escapes are bytes in the character set of the message', () => {
    expect(noted(String.raw`\XE9\ `, `${header('1')}||||||8859/1`)).toBe('é')
  })
})

describe('delimiters', () => {
  test('delimiters are read from the header', () => {
    const [msh, nte] = read('MSH:*%?$:L$1*x::OTS\rNTE:1::a?F?b*c$d%second')
    expect([msh!.at(3), msh!.at(3, 1, 2), msh!.at(3, 2)]).toEqual(['L', '1', 'x'])
    expect([nte!.at(3), nte!.at(3, 2), nte!.at(3, 2, 2), nte!.values(3)[1]!.text]).toEqual(['a:b', 'c', 'd', 'second'])
  })

  test('the delimiter of version 2.7 marks truncated values', () => {
    const msh = header('1').replace(String.raw`^~\&`, String.raw`^~\&#`)
    expect(noted('cut o#', msh)).toBe('cut o…')
    expect(noted(String.raw`number 1 \P\ `, msh)).toBe('number 1 #')
    expect(noted('number 1 #')).toBe('number 1 #')
  })
})

describe('lines', () => {
  const lines = [header('1'), 'PID|1', 'OBR|1']
  const names = (text: string) => read(text).map(({ name }) => name)

  test.each(['\r', '\n', '\r\n', '\r\r\n\n', '  \r', '\t\n'])('lines may end with %j', (end) => {
    expect(names(lines.join(end) + end)).toEqual(['MSH', 'PID', 'OBR'])
  })

  test('lines may end differently, after a byte order mark and within an MLLP frame', () => {
    expect(names(`\uFEFF${lines[0]}\r\n${lines[1]}\n${lines[2]}`)).toEqual(['MSH', 'PID', 'OBR'])
    expect(names(`\u000B${lines.join('\r')}\r\u001C\r`)).toEqual(['MSH', 'PID', 'OBR'])
    expect(names(`\n\n ${lines.join('\r')}`)).toEqual(['MSH', 'PID', 'OBR'])
  })
})

describe('character sets', () => {
  const person = (charset: string) => `${header('1')}||||||${charset}\rPID|1||||Núñez`

  test.each(['', '""', 'ASCII', 'UNICODE UTF-8', 'UTF-8', 'UNICODE UTF-8~8859/1'])(
    'the character set %s is read as UTF-8',
    (charset) => {
      expect(read(person(charset))[1]!.at(5)).toBe('Núñez')
    },
  )

  test('the character set 8859/1 is read as Latin-1', () => {
    expect(read(Buffer.from(person('8859/1'), 'latin1'))[1]!.at(5)).toBe('Núñez')
  })

  test('unknown character sets are refused', () => {
    expect(() => read(Buffer.from(person(''), 'latin1'))).toThrow('the message is not valid UNICODE UTF-8')
    expect(() => read(person('JIS X 0208-1990'))).toThrow('unknown character set JIS X 0208-1990')
    expect(() => read(person('8859/99'))).toThrow('unknown character set 8859/99')
  })
})

/** Why a text is rejected, or an empty string. */
function refusalOf(text: string): string {
  try {
    for (const segment of read(text)) segment.text(3)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('a message of hostile size', () => {
  const MIB = 1024 * 1024
  test.each([
    ['segments', () => `${header('1')}\r${'PID\r'.repeat(3 * MIB)}`],
    ['blanks', () => `${header('1')}\r${' '.repeat(15 * MIB)}x`],
    ['blank lines', () => `${header('1')}${'\r\n'.repeat(7 * MIB)}`],
    ['fields', () => `${header('1')}\rNTE${'|'.repeat(15 * MIB)}`],
    ['components', () => `${header('1')}\rNTE|||${'^'.repeat(15 * MIB)}`],
    ['escapes', () => `${header('1')}\rNTE|||${'\\'.repeat(15 * MIB)}`],
    ['hexadecimal digits', () => `${header('1')}\rNTE|||\\X${'41'.repeat(7 * MIB)}`],
  ])('a message of %s is read or refused quickly', (_what, message) => {
    const text = message()
    const start = performance.now()
    expect(refusalOf(text)).toMatch(/^$|more than 5000 segments|is not a segment/)
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
