import { readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { body, SECRET, world } from '../orders/given.ts'
import { newFolder } from '../support/folders.ts'
import { freePort, serving, SLOW, type Serving } from '../support/processes.ts'
import { isMissing, startProgram, type RunningProgram } from '../support/programs.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'

const CLIENTS = 8

const NGINX = new URL('../../../../deploy/nginx.conf', import.meta.url)

describe.skipIf(isMissing('nginx'))('a rolling restart of two nodes behind nginx', () => {
  let folder: string
  let database: TestDatabase
  let proxy: RunningProgram
  let proxyPort: number
  let nodes: { port: number; service: Serving }[]

  beforeAll(async () => {
    folder = await newFolder()
    database = await freshDatabase()
    const catalog = join(folder, 'catalog.json')
    await writeFile(catalog, JSON.stringify(world()))
    nodes = []
    for (const port of [await freePort(), await freePort()]) nodes.push({ port, service: await start(port) })
    proxyPort = await freePort()
    const file = join(folder, 'nginx.conf')
    const [upstream] = (await readFile(NGINX, 'utf8')).match(/upstream service \{[^}]*\}/)!
    await writeFile(
      file,
      proxySettings(
        upstream,
        nodes.map(({ port }) => port),
      ),
    )
    proxy = await startProgram('nginx', ['-c', file, '-p', folder], proxyPort)
  }, SLOW.timeout)
  afterAll(async () => {
    await proxy?.end()
    for (const { service } of nodes) await service.end('SIGKILL')
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const start = (port: number) =>
    serving({
      PORT: String(port),
      DATABASE_URL: urlOf(database.target),
      OTS_CATALOG: join(folder, 'catalog.json'),
      OTS_DATA_DIR: join(folder, 'data'),
      OTS_ROLE: 'api',
      OTS_DRAIN: '2s',
      OTS_RATE_LIMIT: '0',
    })

  /** All else is as nginx has it by default: it does not repeat a POST that failed. The upstream is that of the file for administrators. */
  const proxySettings = (upstream: string, ports: number[]) => `
    daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; user root;
    events {}
    http {
      access_log off;
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
      ${upstream.replace(/server \S+(.*);/, (_, options) => ports.map((port) => `server 127.0.0.1:${port}${options};`).join(' '))}
      server {
        listen 127.0.0.1:${proxyPort};
        location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
      }
    }`

  const counts = new Map<string, number>()

  /** Sends requests one after the other over a kept connection until told to stop; counts answers by method and status. */
  async function client(port: number, method: 'GET' | 'POST', isOver: () => boolean): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!isOver()) {
      const answer = `${method} ${await statusOf(port, method, agent)}`
      counts.set(answer, (counts.get(answer) ?? 0) + 1)
      await sleep(5)
    }
    agent.destroy()
  }

  const statusOf = (port: number, method: 'GET' | 'POST', agent: Agent) =>
    new Promise<string>((resolve) => {
      const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' }
      const path = method === 'GET' ? '/api/v2/companies' : '/api/v2/orders'
      request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
        answer
          .resume()
          .on('end', () => resolve(String(answer.statusCode)))
          .on('close', () => resolve('a part of an answer'))
      })
        .on('error', ({ message }) => resolve(message))
        .end(method === 'POST' ? JSON.stringify(body()) : undefined)
    })

  test('no request fails, through the proxy or over kept connections to the node', SLOW, async () => {
    let isOver = false
    const through = Array.from({ length: CLIENTS }, (_, i) =>
      client(proxyPort, i % 2 === 0 ? 'GET' : 'POST', () => isOver),
    )
    // The second node restarts as soon as the first one is ready again.
    for (const node of nodes) {
      // Clients of the node itself change to another one when it asks them to close the connection.
      let isLeaving = false
      const direct = client(node.port, 'GET', () => isLeaving)
      await sleep(300)
      const ended = node.service.end('SIGTERM')
      await sleep(500)
      isLeaving = true
      await direct
      expect(await ended).toBe(0)
      node.service = await start(node.port)
    }
    isOver = true
    await Promise.all(through)
    expect([...counts.keys()].toSorted()).toEqual(['GET 200', 'POST 201'])
    expect(counts.get('POST 201')).toBeGreaterThan(50)
  })
})
