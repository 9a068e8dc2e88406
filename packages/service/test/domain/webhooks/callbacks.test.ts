import { describe, expect, test } from 'vitest'
import { body, problemCodes } from '../../support/orders.ts'

const SANDBOX = { production: false, callbackAllow: ['127.0.0.0/8', '::1/128'] }
const OPEN = { production: false, callbackAllow: [] as string[] }
const to = (url: unknown, policy = OPEN) => problemCodes(body({ callback: { url } }), { policy })
const withHeaders = (headers: object) => problemCodes(body({ callback: { url: 'https://a.example', headers } }))
const withAuth = (auth: object) => problemCodes(body({ callback: { url: 'https://a.example', auth } }))

describe('callback.url', () => {
  test.each([
    'https://hooks.example.com/orders?a=1#b',
    'https://8.8.8.8:8443/',
    'https://[2606:4700::1111]/',
    'https://does-not-resolve.invalid/',
  ])('callback.url may be %s', (url) => {
    expect(to(url)).toEqual([])
    expect(to(url, { production: true, callbackAllow: [] })).toEqual([])
  })

  test('callback.url is required', () => {
    expect(problemCodes(body({ callback: {} }))).toEqual(['required /callback/url'])
  })

  test.each([
    'ftp://a.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'mailto:a@a.example',
    'ws://a.example/',
    'data:,x',
  ])('callback.url must be http or https: %s', (url) => {
    expect(to(url)).toEqual(['invalidFormat /callback/url'])
  })

  test.each([
    'http:/127.0.0.1',
    'http:127.0.0.1',
    'https:a.example',
    'https://a.example/ b',
    'https://a.example/a\nb',
    'https://a.example/\tx',
    ' https://a.example/',
    'https://a.example/\n',
  ])('callback.url must be a complete URL: %j', (url) => {
    expect(to(url)).toEqual(['invalidFormat /callback/url'])
  })

  test.each(['here', '//a.example/', 'https://', 5])('a callback.url that is no address, %j, is one problem', (url) => {
    expect(to(url)).toHaveLength(1)
  })

  test('callback.url must be https in production', () => {
    expect(to('http://a.example/')).toEqual([])
    expect(to('http://a.example/', { production: true, callbackAllow: [] })).toEqual(['invalidFormat /callback/url'])
  })

  test.each(['https://user:secret@a.example/', 'https://user@a.example/', 'https://:secret@a.example/'])(
    'callback.url must not contain credentials: %s',
    (url) => {
      expect(to(url)).toEqual(['invalidValue /callback/url'])
    },
  )

  test('callback.url has at most 2,048 characters', () => {
    const start = 'https://a.example/'
    expect(to(start + 'x'.repeat(2048 - start.length))).toEqual([])
    expect(to(start + 'x'.repeat(2049 - start.length))).toEqual(['tooBig /callback/url'])
  })
})

describe('callback.url in special address ranges', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.0.0.1./',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.1/',
    'http://①②⑦.0.0.1/',
    'http://１２７。０。０。１/',
    'http://%31%32%37.0.0.1/',
    'http://a.example@127.0.0.1/',
    'http://0/',
    'http://0.0.0.0/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fd00:ec2::254]/',
    'http://localhost/',
    'http://LOCALHOST:8080/',
    'http://localhost./',
    'http://localhost../',
    'http://ⓛocalhost/',
    'http://api.localhost/',
    'http://api.localhost./',
  ])('callback.url in a special range is refused: %s', (url) => {
    expect(to(url)).toContain('invalidValue /callback/url')
  })

  test.each(['http://localhost.example/', 'http://notlocalhost/', 'http://127.0.0.1.example/', 'http://10.example/'])(
    'callback.url is accepted without resolving its name: %s',
    (url) => {
      expect(to(url)).toEqual([])
    },
  )

  test.each([
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '126.255.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '[2001:200::]',
    '[2003::]',
  ])('callback.url next to a special range is accepted: %s', (host) => {
    expect(to(`http://${host}/`)).toEqual([])
  })

  test('every problem of callback.url is reported', () => {
    expect(to('http://user@127.0.0.1/', { production: true, callbackAllow: [] })).toEqual([
      'invalidFormat /callback/url',
      'invalidValue /callback/url',
      'invalidValue /callback/url',
    ])
  })

  test.each([
    'http://127.0.0.1:9000/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost:9000/',
    'http://a.localhost/',
  ])('callback.url in a range that the operator allows is accepted: %s', (url) => {
    expect(to(url, SANDBOX)).toEqual([])
  })

  test('an allowed range does not allow another', () => {
    expect(to('http://10.0.0.1/', SANDBOX)).toEqual(['invalidValue /callback/url'])
    expect(to('http://[64:ff9b::7f00:1]/', SANDBOX)).toEqual(['invalidValue /callback/url'])
    expect(to('http://localhost/', { production: false, callbackAllow: ['10.0.0.0/8'] })).toEqual([
      'invalidValue /callback/url',
    ])
    expect(to('http://[::ffff:10.0.0.1]/', { production: false, callbackAllow: ['::/0'] })).toEqual([
      'invalidValue /callback/url',
    ])
  })
})

describe('callback.headers', () => {
  test('callback.headers may be custom headers', () => {
    expect(
      withHeaders({ 'X-Team': 'safety', Accept: 'a, b', Empty: '', Authorization: 'Basic eA==', Latin: 'é' }),
    ).toEqual([])
  })

  test.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'CONNECTION',
    'X-Signature',
    'Expect',
    'Trailer',
    'TE',
    'Webhook-Signature',
    'Keep-Alive',
    'upgrade',
  ])('callback.headers may not set %s', (name) => {
    expect(withHeaders({ [name]: 'x' })).toEqual([`invalidKey /callback/headers/${name}`])
  })

  test.each([
    ['a b', 'a b'],
    ['a:', 'a:'],
    ['a\r\nb', 'a\r\nb'],
    ['é', 'é'],
    ['a/b', 'a~1b'],
  ])('callback.headers must have valid names: %j', (name, pointer) => {
    expect(withHeaders({ [name]: 'x' })).toEqual([`invalidKey /callback/headers/${pointer}`])
  })

  test.each(['a\nb', 'a\rb', 'a\r\nX-Signature: t=1', 'a\u0007', 'a\u007f', '☃', 'a\u2028b'])(
    'callback.headers must not contain line breaks or characters that cannot be sent: %j',
    (value) => {
      expect(withHeaders({ 'X-Team': value })).toEqual(['invalidFormat /callback/headers/X-Team'])
    },
  )

  test('every invalid header is reported', () => {
    expect(withHeaders({ Host: 'x', 'X-Ok': 'x', 'X-Bad': '\n' })).toEqual([
      'invalidKey /callback/headers/Host',
      'invalidFormat /callback/headers/X-Bad',
    ])
  })
})

describe('callback.auth', () => {
  test.each([
    { type: 'apiKey', apiKey: 'key', secretKey: 'any\nthing' },
    { type: 'bearer', token: 'token' },
    { type: 'basic', username: 'maría ☃', password: 'a:b' },
    { type: 'basic', username: '', password: 'a' },
    { type: 'custom', custom: { 'X-Key': 'a', Authorization: 'Token b' } },
    { type: 'custom', custom: {} },
  ])('callback.auth may be %j', (auth) => {
    expect(withAuth(auth)).toEqual([])
  })

  test.each([
    [{ type: 'apiKey', apiKey: 'a\nb' }, 'invalidFormat /callback/auth/apiKey'],
    [{ type: 'apiKey', apiKey: '☃' }, 'invalidFormat /callback/auth/apiKey'],
    [{ type: 'bearer', token: 'a\r\nb' }, 'invalidFormat /callback/auth/token'],
    [{ type: 'basic', username: 'a\nb', password: 'c' }, 'invalidFormat /callback/auth/username'],
    [{ type: 'basic', username: 'a:b', password: 'c' }, 'invalidFormat /callback/auth/username'],
    [{ type: 'basic', username: 'a', password: 'b\rc' }, 'invalidFormat /callback/auth/password'],
    [{ type: 'custom', custom: { 'X-Key': 'a\nb' } }, 'invalidFormat /callback/auth/custom/X-Key'],
    [{ type: 'custom', custom: { host: 'a' } }, 'invalidKey /callback/auth/custom/host'],
    [{ type: 'custom', custom: { 'x-signature': 'a' } }, 'invalidKey /callback/auth/custom/x-signature'],
    [{ type: 'custom', custom: { 'a b': 'c' } }, 'invalidKey /callback/auth/custom/a b'],
    [{ type: 'bearer' }, 'required /callback/auth/token'],
    [{ type: 'oauth' }, 'invalidUnion /callback/auth/type'],
  ])('callback.auth %j is refused', (auth, problem) => {
    expect(withAuth(auth)).toEqual([problem])
  })
})
