import { expect, test } from 'vitest'
import { segmentsOf } from '../src/pages/results/hl7.ts'

const MESSAGE = [
  String.raw`MSH|^~\&|LIS|HEARTLAND|OTS|NORTH|20260302||ORU^R01|MSG1|P|2.5.1`,
  'PID|1||900001^^^NORTH||Lopez^Maria^Ana||19900307|F',
  'OBR|1|K7M4-2QXD|ACC-77|D5U|||20260301||||||||||||||||||F',
  'OBX|1|CWE|OVERALL||260385009^Negative||||||F',
  'NTE|1||Temperature low',
  'ZZZ|1|secret',
].join('\r')

const named = (name: string, isWithheld: boolean) =>
  segmentsOf(MESSAGE, isWithheld).find((segment) => segment.name === name)!

test('a person is masked in every segment, whether findings are withheld or not', () => {
  for (const isWithheld of [true, false]) {
    const { line, fields } = named('PID', isWithheld)
    expect(line).toBe('PID|1||••••||L.^Maria||••••|••••')
    expect(fields.map(({ position }) => position)).toEqual([1, 3, 5, 7, 8])
  }
  expect(segmentsOf('MSH|^~\\&|A\rNK1|1|Lopez^Ana', false)).toMatchObject([{}, { line: 'NK1|1|••••' }])
})

test('withheld findings hide values, notes and segments nobody knows, but not what identifies the report', () => {
  expect(named('OBX', true).line).toBe('OBX|1|CWE|OVERALL||••••||||||F')
  expect(named('OBX', true).fields.find(({ position }) => position === 5)).toMatchObject({ isWithheld: true })
  expect(named('NTE', true).line).toBe('NTE|1||••••')
  expect(named('ZZZ', true).line).toBe('ZZZ|••••|••••')
  expect(named('OBR', true).line).toBe(named('OBR', false).line)
  expect(named('NTE', false).line).toBe('NTE|1||Temperature low')
})

test('the header counts its separator as the first field, and its separator is the one that is used', () => {
  expect(named('MSH', true).fields.find(({ text }) => text === 'HEARTLAND')).toMatchObject({ position: 4 })
  const other = segmentsOf('MSH#^~\\&#LIS\nPID#1####Lopez^Maria\n', false)
  expect(other).toMatchObject([{}, { line: 'PID#1####L.^Maria' }])
})
