import type { Config } from './settings.ts'

/** What will not work with these settings, in a sentence each, for the log at the start. */
export function findStartWarnings({ mode, role, outbound, smtpUrl, smsUrl, publicUrl }: Config): string[] {
  // A sandbox without a server keeps notifications in its mailbox.
  if (mode === 'sandbox') return outbound || role === 'api' ? [] : [NO_OUTBOUND]
  const isWorking = role !== 'api'
  const isSending = isWorking && outbound
  const isServing = role !== 'worker'
  return [
    isWorking && !outbound && NO_OUTBOUND,
    isSending && smtpUrl === undefined && 'OTS_SMTP_URL is not set: e-mails wait until a worker has it',
    isSending && smsUrl === undefined && 'OTS_SMS_URL is not set: text messages wait until a worker has it',
    isServing && smtpUrl === undefined && 'OTS_SMTP_URL is not set: invitations to the console are not mailed',
    isServing &&
      publicUrl === undefined &&
      'OTS_PUBLIC_URL is not set: nobody can be invited or sign in to the console',
    publicUrl?.startsWith('http:') === true &&
      'OTS_PUBLIC_URL begins with http: passkeys and secure cookies need https, and links in notifications are not encrypted',
  ].filter((warning) => warning !== false)
}

const NO_OUTBOUND = 'OTS_OUTBOUND=off: events and notifications wait until a process with OTS_OUTBOUND=on sends them'
