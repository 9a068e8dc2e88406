/** What calendar files say. */
export const calendarInEnglish = {
  calendarLink: 'Details and changes',
  calendarCancelled: 'Appointment canceled',
  arrivalCancelled: 'Planned arrival canceled',
}

export type CalendarTexts = typeof calendarInEnglish
