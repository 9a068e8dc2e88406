import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

/** A mail as a server receives it. */
export interface ReceivedMail {
  to: string[]
  source: string
}

export interface MailServer {
  url: string
  mails: ReceivedMail[]
  /** How many mails were received completely, accepted or not. */
  begun(): number
  close(): Promise<void>
}

interface Behavior {
  /** Refuses recipients with this code. */
  refusing?: number | ((address: string) => number | undefined)
  /** Refuses every mail with this answer. */
  objecting?: (source: string) => string
  /** Closes the connection after receiving a mail. */
  hangsUp?: boolean
  /** Delays the answer to a mail. */
  slowMs?: number
  /** Delays the answer until this resolves. */
  held?: Promise<void>
  /** Requires a password, and rejects all of them. */
  locked?: boolean
  /** Refuses senders with this code. */
  refusingSender?: number
  /** The port of an earlier server. */
  port?: number
}

/** Starts a real SMTP server. */
export async function mailServer(behavior: Behavior = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let begun = 0
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    authOptional: !behavior.locked,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('Who are you?'), { responseCode: 535 })),
    onMailFrom({ address }, _session, done) {
      const responseCode = behavior.refusingSender
      done(responseCode === undefined ? undefined : Object.assign(new Error(`Not from ${address}.`), { responseCode }))
    },
    onRcptTo({ address }, _session, done) {
      const { refusing } = behavior
      const responseCode = typeof refusing === 'function' ? refusing(address) : refusing
      done(
        responseCode === undefined ? undefined : Object.assign(new Error(`No mailbox ${address}.`), { responseCode }),
      )
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        begun++
        if (behavior.hangsUp) {
          for (const socket of sockets) socket.destroy()
          return
        }
        const answer = () => {
          const source = Buffer.concat(chunks).toString()
          if (behavior.objecting)
            return done(Object.assign(new Error(behavior.objecting(source)), { responseCode: 554 }))
          mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), source })
          done()
        }
        void (behavior.held ?? sleep(behavior.slowMs ?? 0)).then(answer)
      })
    },
  })
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(behavior.port ?? 0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}?from=orders@service.example`,
    mails,
    begun: () => begun,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The headers of a mail by name. A repeated header gets the suffix ` twice`. */
export function headersOf(source: string): Record<string, string> {
  const [head = ''] = source.replaceAll('\r\n', '\n').split('\n\n', 1)
  const lines = head.replaceAll(/\n[ \t]+/g, ' ').split('\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name = line, value = ''] = /^([\w-]+): ?(.*)$/.exec(line) ?? []
    headers[name in headers ? `${name} twice` : name] = value
  }
  return headers
}

/** The plain part of a mail, decoded. */
export function plainText(source: string): string {
  const [, head = '', body = ''] =
    /Content-Type: text\/plain[^\n]*\n((?:[^\n]+\n)*)\n([\s\S]*?)\n--/i.exec(source.replaceAll('\r\n', '\n')) ?? []
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(head) && !/quoted-printable/i.test(source)) return body
  return Buffer.from(
    body
      .replaceAll(/=\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
}
