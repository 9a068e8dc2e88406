import { rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SECRET, world } from '../orders/given.ts'
import { newFolder } from '../support/folders.ts'
import { freePort, PATIENT, serving, SLOW, type Serving } from '../support/processes.ts'
import { isMissing, startProgram, type RunningProgram } from '../support/programs.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'

const CLIENTS = 8

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
    await writeFile(file, proxySettings(nodes.map(({ port }) => port)))
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

  /** All else is as nginx has it by default: it does not repeat a POST that failed. */
  const proxySettings = (ports: number[]) => `
    daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; user root;
    events {}
    http {
      access_log off;
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
      upstream nodes { ${ports.map((port) => `server 127.0.0.1:${port};`).join(' ')} }
      server { listen 127.0.0.1:${proxyPort}; location / { proxy_pass http://nodes; add_header Node $upstream_addr; } }
    }`

  const counts = new Map<string, number>()
  const lastNodes: string[] = []

  /** Sends requests one after the other over a kept connection until told to stop; counts answers by status. */
  async function client(port: number, isOver: () => boolean): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!isOver()) {
      const { status, node } = await answerOf(port, agent)
      counts.set(status, (counts.get(status) ?? 0) + 1)
      if (node !== undefined) lastNodes.push(node)
      await sleep(5)
    }
    agent.destroy()
  }

  const answerOf = (port: number, agent: Agent) =>
    new Promise<{ status: string; node?: string | undefined }>((resolve) => {
      const headers = { authorization: `Bearer ${SECRET}` }
      request({ host: '127.0.0.1', port, path: '/api/v2/companies', headers, agent }, (answer) => {
        const node = answer.headers['node'] as string | undefined
        answer.resume().on('end', () => resolve({ status: String(answer.statusCode), node }))
      })
        .on('error', ({ message }) => resolve({ status: message }))
        .end()
    })

  test('no request fails, through the proxy or over kept connections to the node', SLOW, async () => {
    for (const node of nodes) {
      let isOver = false
      const through = Array.from({ length: CLIENTS }, () => client(proxyPort, () => isOver))
      // Clients of the node itself change to another one when it asks them to close the connection.
      let isLeaving = false
      const direct = client(node.port, () => isLeaving)
      await sleep(300)
      const ended = node.service.end('SIGTERM')
      await sleep(500)
      isLeaving = true
      await direct
      expect(await ended).toBe(0)
      node.service = await start(node.port)
      // The proxy leaves a node out for ten seconds after it refused a connection; until then it has only the other one.
      lastNodes.length = 0
      await expect.poll(() => lastNodes, PATIENT).toContain(`127.0.0.1:${node.port}`)
      isOver = true
      await Promise.all(through)
    }
    expect([...counts.keys()]).toEqual(['200'])
    expect(counts.get('200')).toBeGreaterThan(100)
  })
})
