import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

const TYPES: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' }

/** Raw addresses to answer with, or what else a name server may do. */
export type Reply = number[][] | 'nothing' | 'silence'

/** A real name server on the loopback, and a resolver that asks only that one. */
export async function nameServer(
  reply: (name: string, type: 'A' | 'AAAA') => Reply,
  { timeoutMs = 300 } = {},
): Promise<Resolver> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = []
    let at = 12
    while (query[at]! > 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
      at += 1 + query[at]!
    }
    const end = at + 5
    const answer = reply(labels.join('.'), TYPES[query.readUInt16BE(at + 1)]!)
    if (answer !== 'silence') socket.send(message(query, end, answer === 'nothing' ? [] : answer), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return resolver
}

/** RFC 1035: the question again, and a record for each address; with none, that there is no such name. */
function message(query: Buffer, end: number, addresses: number[][]): Buffer {
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt32BE(0, 8)
  const type = query.subarray(end - 4, end)
  const records = addresses.map((bytes) =>
    Buffer.concat([Buffer.from([0xc0, 12]), type, Buffer.from([0, 0, 0, 0, 0, bytes.length]), Buffer.from(bytes)]),
  )
  return Buffer.concat([header, query.subarray(12, end), ...records])
}
