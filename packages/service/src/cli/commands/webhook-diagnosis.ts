import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, WebhookError } from '@order-testing/client/webhooks'
import type { Command } from 'commander'
import { collect, readTime } from '../option-values.ts'
import { print, toJson } from '../output/table.ts'

interface WebhookOptions {
  header: string[]
  secret: string
  at?: Date
  json?: boolean
}

/** Adds the command that finds out why a delivery does not verify. */
export function addWebhookDiagnosis(doctor: Command): void {
  doctor
    .command('webhook')
    .description('Check the signature of a delivery, and say what is wrong with it. Exit code 0: genuine, 1: not.')
    .argument('<file>', 'the body as it was received, byte for byte; "-" reads standard input')
    .requiredOption(
      '--header <header>',
      "a header of the delivery, such as 'X-Signature: t=…,sha256=…'; may be repeated",
      collect,
    )
    .requiredOption('--secret <key>', "the callback's secretKey")
    .option('--at <time>', 'when it was received (default: now)', readTime)
    .option('--json', 'print JSON')
    .action(async (file: string, options: WebhookOptions) => {
      const outcome = await examine(await readBytes(file), options)
      print(options.json ? toJson(outcome) : outcome.detail)
      if (!outcome.isGenuine) process.exitCode = 1
    })
}

async function examine(body: Buffer, { header, secret, at }: WebhookOptions) {
  try {
    const { version, eventId, signedAt } = await verifyWebhook({ body, headers: toHeaders(header), secret, now: at })
    const signed = signedAt === null ? '' : `, signed at ${signedAt.toISOString()}`
    return { isGenuine: true, detail: `Genuine: a ${version} delivery${eventId ? ` of ${eventId}` : ''}${signed}.` }
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    return { isGenuine: false, reason: error.reason, detail: `Not genuine (${error.reason}): ${error.message}` }
  }
}

/** A line without a colon is the value of `X-Signature`. */
const toHeaders = (lines: string[]): Record<string, string> =>
  Object.fromEntries(
    lines.map((line) => {
      const [, name = 'x-signature', value = line] = /^([\w-]+):\s*(.*)$/s.exec(line) ?? []
      return [name.toLowerCase(), value.trim()]
    }),
  )

async function readBytes(file: string): Promise<Buffer> {
  return (file === '-' ? buffer(process.stdin) : readFile(file)).catch((error: Error) => {
    throw new Error(`Cannot read ${file}: ${error.message}`)
  })
}
