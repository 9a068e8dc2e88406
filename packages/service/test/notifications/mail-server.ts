import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

/** A mail as a server takes it: whom it is for, and all of its text. */
export interface TakenMail {
  to: string[]
  source: string
}

export interface MailServer {
  url: string
  mails: TakenMail[]
  /** How many mails have come to their end, taken or not. */
  begun(): number
  close(): Promise<void>
}

interface Manners {
  /** Answers a recipient with this code in place of taking it; or those that it is given for. */
  refusing?: number | ((address: string) => number | undefined)
  /** Takes no mail, and says why. */
  objecting?: (source: string) => string
  /** Ends the connection when all of a mail has come. */
  hangsUp?: boolean
  /** Waits this long before it takes a mail. */
  slowMs?: number
  /** Takes none before this. */
  held?: Promise<void>
  /** Takes nothing from whom it does not know, and knows nobody. */
  locked?: boolean
  /** Answers senders with this code in place of taking their mail. */
  refusingSender?: number
  /** Where it was before. */
  port?: number
}

/** A real SMTP server on a port of its own. */
export async function mailServer(manners: Manners = {}): Promise<MailServer> {
  const mails: TakenMail[] = []
  let begun = 0
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    authOptional: !manners.locked,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('Who are you?'), { responseCode: 535 })),
    onMailFrom({ address }, _session, done) {
      const responseCode = manners.refusingSender
      done(responseCode === undefined ? undefined : Object.assign(new Error(`Not from ${address}.`), { responseCode }))
    },
    onRcptTo({ address }, _session, done) {
      const { refusing } = manners
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
        if (manners.hangsUp) {
          for (const socket of sockets) socket.destroy()
          return
        }
        const answer = () => {
          const source = Buffer.concat(chunks).toString()
          if (manners.objecting) return done(Object.assign(new Error(manners.objecting(source)), { responseCode: 554 }))
          mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), source })
          done()
        }
        void (manners.held ?? sleep(manners.slowMs ?? 0)).then(answer)
      })
    },
  })
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(manners.port ?? 0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}?from=orders@service.example`,
    mails,
    begun: () => begun,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The headers of a mail by name, each on one line. One that comes twice is told by its number. */
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
