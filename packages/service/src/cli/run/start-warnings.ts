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
    isSending && smtpUrl === undefined && `OTS_SMTP_URL is not set: e-mails fail ${RESEND}`,
    isSending && smsUrl === undefined && `OTS_SMS_URL is not set: text messages fail ${RESEND}`,
    isServing && smtpUrl === undefined && 'OTS_SMTP_URL is not set: invitations to the console are not mailed',
    isServing &&
      publicUrl === undefined &&
      'OTS_PUBLIC_URL is not set: nobody can be invited or sign in to the console',
  ].filter((warning) => warning !== false)
}

const NO_OUTBOUND = 'OTS_OUTBOUND=off: events and notifications wait until a process with OTS_OUTBOUND=on sends them'

const RESEND = 'with the outcome noServer; set it, and send them again with "ots messages resend"'
