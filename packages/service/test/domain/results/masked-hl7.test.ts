import { describe, expect, test } from 'vitest'
import { maskHl7, maskRefused } from '../../../src/domain/results/masked-hl7.ts'

const PERSONAL = ['Lopez', '19900307', '123-45-6789', 'Elm Street', '3125550188', 'D123-4567']
const MESSAGE = [
  String.raw`MSH|^~\&|LIS|HEARTLAND|OTS|NORTH|20260302150405||ORU^R01|MSG1|P|2.5.1`,
  'PID|1||900001^^^NORTH^MR||Lopez^Maria^Q||19900307|F|||12 Elm Street^^Naperville^IL^60540||3125550188|||||12345|123-45-6789|D123-4567',
  'NK1|1|Lopez^Ana',
  'OBR|1|K7M4-2QXD|ACC-77|D5U|||20260301101500|||||||20260302090000||||||||20260302143000|||F',
  'OBX|1|CWE|OVERALL^OVERALL RESULT^L||260385009^Positive^SCT||||||F',
  'NTE|1||Donor Lopez, born 19900307, called from 3125550188',
  'ZZZ|Lopez|positive',
].join('\r')

describe('a masked HL7 message', () => {
  test('a masked message has the first name and the initial, and nothing else of a person, wherever it stands', () => {
    const masked = maskHl7(MESSAGE, { persons: false, findings: true })
    expect(PERSONAL.filter((text) => masked.includes(text))).toEqual([])
    expect(masked.split('\r')[1]).toBe('PID|1||••••||L.^Maria||••••|••••|||••••||••••|||||••••|••••|••••')
    expect(masked).toContain('Donor ••••, born ••••, called from ••••')
    expect(masked).toContain('OBX|1|CWE|OVERALL^OVERALL RESULT^L||260385009^Positive^SCT||||||F')
    expect(masked).toContain('ZZZ|••••|••••')
  })

  test('hidden findings are hidden also if the persons are shown', () => {
    for (const persons of [false, true]) {
      const masked = maskHl7(MESSAGE, { persons, findings: false })
      expect(masked).not.toMatch(/positive|260385009/i)
      expect(masked).toContain('OBX|1|CWE|OVERALL^OVERALL RESULT^L||••••||||||F')
      expect(masked.includes('PID|1||900001^^^NORTH^MR||Lopez^Maria')).toBe(persons)
    }
  })

  test('a message with nothing to hide is unchanged', () => {
    expect(maskHl7(MESSAGE, { persons: true, findings: true })).toBe(MESSAGE)
  })

  test('other separators are respected, and a line that is no segment is hidden', () => {
    const masked = maskHl7('MSH#*~\\&#LIS\rPID#1####Lopez*Maria\rLopez|Maria', { persons: false, findings: true })
    expect(masked).toBe('MSH#*~\\&#LIS\rPID#1####L.*Maria\r••••')
  })
})

describe('a refused message', () => {
  test('a refused message never shows findings, also if it is framed, broken or without a header', () => {
    for (const text of [MESSAGE, `\u000B${MESSAGE}`, MESSAGE.slice(4), MESSAGE.split('\r').slice(3).join('\n')]) {
      const masked = maskRefused(text, { persons: false })
      expect(PERSONAL.filter((each) => masked.includes(each))).toEqual([])
      expect(masked).not.toMatch(/positive|260385009/i)
      expect(maskRefused(text, { persons: true })).not.toMatch(/positive|260385009/i)
    }
  })

  test('a refused message that is no HL7 is shown only in full', () => {
    const request = 'GET / HTTP/1.1\r\nHost: example.com'
    expect(maskRefused(request, { persons: true })).toBe(request)
    expect(maskRefused(request, { persons: false })).not.toContain('example.com')
  })
})
