/** What calendar files say. */
export const messagesInEnglish = {
  calendarLink: 'Your booking',
  calendarCancelled: 'Appointment canceled',
}

export type MessageTexts = typeof messagesInEnglish
