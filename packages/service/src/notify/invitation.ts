import { ENGLISH, formatLongMoment } from '@order-testing/pages'
import type { InvitationMail } from '../domain/users/users.ts'
import type { Content } from './compose.ts'
import { displayName, toOneLine } from './display-name.ts'
import { PLAIN_MAIL, renderMailPage } from './mail-page.ts'
import { toPlainText } from './plain-text.ts'
import type { Transport } from './transports.ts'

/** Composes the mail that invites a person to the console. */
export function composeInvitation({ name, tenantName, url, expiresAt }: Omit<InvitationMail, 'to'>): Content {
  const tenant = toOneLine(tenantName, 80)
  const subject = `Your access to the console of ${tenant}`
  const until = formatLongMoment(expiresAt, ENGLISH, 'UTC')
  const mail = {
    ...PLAIN_MAIL,
    language: ENGLISH,
    subject,
    title: subject,
    preview: `The link works once, until ${until}.`,
    lines: [
      `Hello ${displayName(name)},`,
      `You were invited to the console of ${tenant}. Open the link on the device that you work with, and let it create a passkey: from then on you sign in without a password.`,
    ],
    action: { button: 'Accept the invitation', link: url },
    buttonFails: 'If the button does not work, open this address:',
    after: [`The link works once, until ${until}. Do not forward it: the first person to open it gets your access.`],
    footer: ['This is an automatic message. If you did not expect it, ignore it.'],
  }
  return { language: ENGLISH, subject, text: toPlainText(mail), html: renderMailPage(mail), short: '', attachments: [] }
}

/** Sends invitations; returns whether the mail server has accepted one. */
export const invitationMailer =
  (transport: Transport, { makeId, onFailure }: { makeId: () => string; onFailure: (detail: string) => void }) =>
  async ({ to, ...invitation }: InvitationMail): Promise<boolean> => {
    const content = composeInvitation(invitation)
    const { outcome, detail } = await transport.send({ id: makeId(), to, content, cc: [], copy: null }, async () => {})
    if (outcome !== 'accepted') onFailure(detail)
    return outcome === 'accepted'
  }
