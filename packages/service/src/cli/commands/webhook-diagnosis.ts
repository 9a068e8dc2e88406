import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, WebhookError } from '@order-testing/client/webhooks'
import type { Command } from 'commander'
import { collect, readTime } from '../option-values.ts'
import { withExamples } from '../help.ts'
import { green, red } from '../output/colors.ts'
import { show } from '../output/print.ts'

interface WebhookOptions {
  header: string[]
  secret: string
  at?: Date
}

/** Adds the command that finds out why a delivery does not verify. */
export function addWebhookDiagnosis(doctor: Command): void {
  withExamples(
    doctor.command('webhook'),
    "ots doctor webhook body.json --secret key --header 'X-Signature: t=…,sha256=…'",
  )
    .description('Check the signature of a delivery. Says what is wrong with it. Exit code 1: not genuine.')
    .argument('<file>', 'the body as it was received, byte for byte; "-" reads standard input')
    .requiredOption(
      '--header <header>',
      "a header of the delivery, such as 'X-Signature: t=…,sha256=…'; may be repeated",
      collect,
    )
    .requiredOption('--secret <key>', "the callback's secretKey")
    .option('--at <time>', 'when it was received (default: now)', readTime)
    .action(async (file: string, options: WebhookOptions) => {
      const outcome = await examine(await readBytes(file), options)
      show(outcome, ({ isGenuine, detail }) => (isGenuine ? green(detail) : red(detail)))
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
