import { expect, test } from 'vitest'
import { segmentsOf } from '../src/pages/results/hl7.ts'

const MESSAGE = [
  String.raw`MSH|^~\&|LIS|HEARTLAND|OTS|NORTH|20260302||ORU^R01|MSG1|P|2.5.1`,
  'PID|1||••••||L.^Maria||••••|••••',
  'OBX|1|CWE|OVERALL||••••||||||F',
].join('\r')

const named = (name: string, isHidden: boolean) =>
  segmentsOf(MESSAGE, isHidden).find((segment) => segment.name === name)!

test('hidden fields are withheld findings if findings are hidden, but not where they identify a person', () => {
  const withheld = (name: string, isHidden: boolean) =>
    named(name, isHidden).fields.filter(({ isWithheld }) => isWithheld)
  expect(withheld('OBX', true)).toMatchObject([{ position: 5 }])
  expect(withheld('OBX', false)).toEqual([])
  expect(withheld('PID', true)).toEqual([])
  expect(named('PID', true).fields.map(({ position }) => position)).toEqual([1, 3, 5, 7, 8])
})

test('the header counts its separator as the first field, and its separator is the one that is used', () => {
  expect(named('MSH', true).fields.find(({ text }) => text === 'HEARTLAND')).toMatchObject({ position: 4 })
  const other = segmentsOf('MSH#^~\\&#LIS\nPID#1####L.^Maria\n', false)
  expect(other).toMatchObject([{}, { fields: [{ text: '1' }, { position: 5, text: 'L.^Maria' }] }])
})
