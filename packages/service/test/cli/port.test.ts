import { once } from 'node:events'
import { createServer, Server } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { checkPorts, listenOrRefuse } from '../../src/cli/run/port.ts'
import type { Config } from '../../src/cli/run/settings.ts'
import { freePort } from '../support/processes.ts'

const check = (port: number, host: string) => checkPorts({ port, host } as Config)

describe('the check of a port before the service starts', () => {
  test('nobody can connect meanwhile, since the connection would be reset', async () => {
    const port = await freePort()
    const listen = vi.spyOn(Server.prototype, 'listen')
    await check(port, '127.0.0.1')
    const opened = listen.mock.calls.map(([first]) => first)
    listen.mockRestore()
    expect(opened).toEqual([0])
  })

  test.each(['127.0.0.1', '0.0.0.0', 'localhost'])('a port of %s that is in use is refused', async (host) => {
    const taken = createServer().listen(0, host)
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    await expect(check(port, host)).rejects.toThrow(`Port ${port} on ${host} is in use.`)
    taken.close()
  })

  test('an address of another machine is refused', async () => {
    await expect(check(3000, '192.0.2.1')).rejects.toThrow(
      /^Cannot listen on 192\.0\.2\.1:3000: .*EADDRNOTAVAIL.* Set HOST and PORT to an address of this machine\.$/,
    )
  })

  test('a port that is taken later is refused in the same words', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const listen = () => once(createServer().listen(port, '127.0.0.1'), 'listening')
    await expect(listenOrRefuse({ port, host: '127.0.0.1', prefix: 'OTS_MLLP_' }, listen)).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use. Stop the process that uses it, or choose another port: OTS_MLLP_PORT=${port + 1} npm start`,
    )
    taken.close()
  })

  test('a failure that has nothing to do with the address is reported as it is', async () => {
    const failure = new Error('a plugin failed')
    const listen = () => Promise.reject(failure)
    await expect(listenOrRefuse({ port: 3000, host: '127.0.0.1', prefix: '' }, listen)).rejects.toBe(failure)
  })
})
