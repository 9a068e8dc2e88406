import { describe, expect, test } from 'vitest'
import { blocksOf, exitCodeOf, isBeside, isFile, isOutput, reasonNotRun } from './blocks.ts'
import { Expectations } from './expected.ts'
import { linesOf } from './programs.ts'
import { Reader } from './reader.ts'

const guideOf = (text: string) => ({ name: 'example', text, blocks: blocksOf(text) })
const place = { cwd: '/', env: { PATH: process.env['PATH'] } }
const read = async (text: string) => {
  const reader = new Reader(guideOf(text), place, (each) => each)
  try {
    await reader.read()
  } finally {
    await reader.close()
  }
}
const block = (language: string, text: string, note = '') => `${note}\n\`\`\`${language}\n${text}\n\`\`\`\n\n`

describe('the blocks of a guide', () => {
  test('comments before a block, or before its tabs, belong to it and to no other', () => {
    const [first, second, third, fourth] = blocksOf(
      [
        block('sh', 'a', '<!-- not run: a good reason -->'),
        '<!-- second terminal -->\n::: code-group\n',
        block('sh [curl]', 'b'),
        block('json [order.json]', '{}', '<!-- exit code 3 -->'),
        ':::\n',
        block('text', 'd', '<!-- not run: lost -->\nA paragraph in between.\n'),
      ].join(''),
    )
    expect([reasonNotRun(first!), isBeside(first!)]).toEqual(['a good reason', false])
    expect([isBeside(second!), isFile(second!), exitCodeOf(second!)]).toEqual([true, false, 0])
    expect([isBeside(third!), isFile(third!), exitCodeOf(third!), isOutput(third!)]).toEqual([true, true, 3, false])
    expect([reasonNotRun(fourth!), isOutput(fourth!), fourth!.line]).toEqual([undefined, true, 23])
  })

  test('the lines that a program prints stand behind its calls', () => {
    const text = "const a = 1 // no output\nconsole.log(a) // 1\n  console.log('b (c)', a) // b (c) 1"
    expect(linesOf(guideOf(block('ts', text)))).toEqual(['1', 'b (c) 1'])
  })
})

describe('what a guide shows', () => {
  const [id, other] = ['ord_01m7hrx6rbfevdxj5wdj1yye5x', 'ord_01m7hs73dkjbwcz2r4zqmjhk8y']

  test('ids, codes and times may differ, but the same id is the same everywhere', () => {
    const expectations = new Expectations()
    const isSame = (shown: string, printed: string) => expectations.mismatch(shown, printed, 'text') === undefined
    expect(isSame(`${id} is K7M4-2QXD`, `${other} is X2GK-7BDZ`)).toBe(true)
    expect(isSame(`again ${id}`, `again ${other}`)).toBe(true)
    expect(isSame(`again ${id}`, `again ${id}`)).toBe(false)
    expect(isSame('K7M4-2QXD', 'K7M4-2QXD')).toBe(false)
    expect(isSame('at 2026-03-02T15:05:37.120Z', 'at 2027-01-01T00:00:00.000Z')).toBe(true)
    expect(isSame('evt_01m7hrx6rbfevdxj5wdj1yye5y', id)).toBe(false)
    expect(isSame('from … on', 'from here on')).toBe(true)
    expect(isSame('from … on', 'from here off')).toBe(false)
  })

  test('JSON may be shortened and must not differ', () => {
    const mismatch = (shown: unknown, printed: unknown) =>
      new Expectations().mismatch(JSON.stringify(shown), JSON.stringify(printed), 'json')
    expect(mismatch({ a: 1, b: [{ c: null }] }, { a: 1, b: [{ c: null, d: 2 }], e: 3 })).toBeUndefined()
    expect(mismatch({ a: [1, '…'] }, { a: [1, 2, 3] })).toBeUndefined()
    expect(mismatch({ a: [1] }, { a: [1, 2] })).toMatch('/a is [1,2], shown as [1].')
    expect(mismatch({ b: [{ c: 1 }] }, { b: [{ c: 2 }] })).toMatch('/b/0/c is 2, shown as 1.')
    expect(mismatch({ a: null }, {})).toMatch('/a is undefined')
    expect(mismatch({ a: {} }, { a: [] })).toMatch('/a is []')
    expect(new Expectations().mismatch('{"a":1}', 'curl: (7) Failed', 'json')).toMatch('Failed')
  })

  test('lines may be repeated, but not be missing or added', () => {
    const isLines = (shown: string[], printed: string) => new Expectations().isLines(shown, printed)
    expect(isLines(['a …', 'b', 'b'], 'a 1\na 2\nb\nb\n')).toBe(true)
    expect(isLines(['a', 'b', 'b'], 'a\nb\n')).toBe(false)
    expect(isLines(['a'], 'a\nb\n')).toBe(false)
    expect(isLines([], '')).toBe(true)
  })
})

describe('the reader of a guide', () => {
  test('commands share a shell, and their output is compared', async () => {
    await read(block('sh', 'A=1') + block('sh', 'echo "$A"') + block('text', '1'))
    await expect(read(block('sh', 'echo 1') + block('text', '2'))).rejects.toThrow('example:8: The text differs.')
  })

  test('output that is not shown, commands that fail and other exit codes are noticed', async () => {
    await expect(read(block('sh', 'echo 1'))).rejects.toThrow('does not show what is printed')
    await expect(read(block('sh', 'false\ntrue'))).rejects.toThrow('A command failed')
    await expect(read(block('sh', 'echo "$UNSET"'))).rejects.toThrow('UNSET')
    await read(block('sh', 'exit_with() { return 3; }\nexit_with', '<!-- exit code 3 -->'))
    await expect(read(block('sh', 'true', '<!-- exit code 3 -->'))).rejects.toThrow('The exit code is 0')
  })

  test('a block that says why is not run, and a second terminal is awaited', async () => {
    const beside = '<!-- second terminal -->'
    await expect(read(block('sh', 'false', '<!-- not run: it would fail -->'))).resolves.toBeUndefined()
    const commands = block('sh', 'echo ready; exec sleep 600', beside) + block('text', 'ready', beside)
    await expect(read(commands)).resolves.toBeUndefined()
  })
})
