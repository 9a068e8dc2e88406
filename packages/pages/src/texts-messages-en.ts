/** What calendar files and the notice about a new link say. */
export const messagesInEnglish = {
  calendarLink: 'Your booking',
  calendarCancelled: 'Appointment canceled',
  linkSent: [
    'Check your messages',
    'If your order is still open, a new link is on its way to the email address or phone that we have on file. You can ask again in an hour.',
  ] as readonly [title: string, text: string],
}

export type MessageTexts = typeof messagesInEnglish
