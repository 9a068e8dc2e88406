import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { ConsoleApi } from '../src/api/console-api.ts'
import { OfflineError, UnknownOutcomeError } from '../src/api/failures.ts'
import { createQueries } from '../src/api/queries.ts'
import { en } from '../src/languages/en.ts'
import { es } from '../src/languages/es.ts'
import { sentenceOf } from '../src/parts/sentences.ts'

describe('a change', () => {
  const closing: (() => void)[] = []
  afterEach(() => {
    onlineManager.setOnline(true)
    for (const close of closing.splice(0)) close()
  })

  /** A service, and the requests that reached it. */
  async function service(answer: RequestListener) {
    const received: string[] = []
    const server = createServer((request, response) => {
      received.push(`${request.method} ${request.url}`)
      answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => {
      server.closeAllConnections()
      server.close()
    })
    return { received, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  const cancel = (api: ConsoleApi, signal?: AbortSignal) =>
    api.call('operatorCancelOrder', { params: { id: 'ord_1' }, body: { reason: 'Asked to' } }, { signal })

  test('that is confirmed offline fails at once, and is not sent when the network is back', async () => {
    const { baseUrl, received } = await service((_request, response) => response.end('{}'))
    let isOnline = false
    onlineManager.setOnline(false)
    const api = new ConsoleApi({ baseUrl, isOnline: () => isOnline })
    const change = new MutationObserver(
      createQueries(() => undefined),
      { mutationFn: () => cancel(api) },
    )
    await expect(change.mutate()).rejects.toThrow(OfflineError)
    expect(change.getCurrentResult()).toMatchObject({ isPaused: false, isError: true })
    isOnline = true
    onlineManager.setOnline(true)
    await api.call('operatorReadOrder', { params: { id: 'ord_1' } })
    expect(received).toEqual(['GET /api/operator/v1/orders/ord_1'])
  })

  test('that was sent and not answered is not taken for one that was not made', async () => {
    const { baseUrl } = await service((request) => request.socket.destroy())
    const api = new ConsoleApi({ baseUrl, isOnline: () => true })
    const error = await cancel(api).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(UnknownOutcomeError)
    expect(sentenceOf(error, en)).toContain('not known whether')
    for (const words of [en, es]) expect(sentenceOf(error, words)).not.toContain(words.states.nothingChanged)
  })

  test('that a proxy lost on its way may have been made', async () => {
    const { baseUrl } = await service((_request, response) => response.writeHead(504).end())
    const api = new ConsoleApi({ baseUrl, isOnline: () => true })
    await expect(cancel(api)).rejects.toThrow(UnknownOutcomeError)
  })

  test('that the service refused keeps the words of the service', async () => {
    const body = JSON.stringify({ errors: [{ code: 'invalidState', detail: 'The order is closed.' }] })
    const { baseUrl } = await service((_request, response) => response.writeHead(422).end(body))
    const api = new ConsoleApi({ baseUrl, isOnline: () => true })
    expect(sentenceOf(await cancel(api).catch((reason: unknown) => reason), en)).toBe('The order is closed.')
  })

  test('says offline that nothing was changed, in both languages', () => {
    const error = new OfflineError('PUT was not sent')
    expect(sentenceOf(error, en)).toBe('You are offline. Nothing was changed.')
    expect(sentenceOf(error, es)).toBe('No tiene conexión. No se cambió nada.')
  })

  test('is aborted by the signal of its dialog', async () => {
    const dialog = new AbortController()
    const { baseUrl, received } = await service(() => dialog.abort())
    const api = new ConsoleApi({ baseUrl, isOnline: () => true })
    await expect(cancel(api, dialog.signal)).rejects.toMatchObject({ name: 'AbortError' })
    expect(received).toHaveLength(1)
  })
})
