/** What calendar files say. */
export const calendarInEnglish = {
  calendarLink: 'Your booking',
  calendarCancelled: 'Appointment canceled',
}

export type CalendarTexts = typeof calendarInEnglish
