/** What differs where nothing is reserved: somebody plans to come to a clinic that takes walk-ins only. */
export const arrivalInEnglish = {
  bookedTitle: (name: string) => `Your arrival is planned, ${name}`,
  passTitle: 'Your pass',
  bookedNow: 'Planned arrival',
  cancel: 'Cancel planned arrival',
  cancelAsk: 'Cancel your planned arrival?',
  cancelYes: 'Cancel my planned arrival',
  onlyFrees: 'Canceling only drops this plan. The order stays open.',
  backToPass: 'Back to my pass',
}

export const arrivalClinicsInEnglish = {
  bookedHere: 'Planned arrival',
  staysBooked: 'Your planned arrival stays until you confirm.',
  stillBooked: 'Your planned arrival hasn’t changed.',
  confirmTitle: 'Change your planned arrival?',
  alreadyTitle: 'You already planned your arrival at a clinic. Change it?',
  alreadyHint: 'You chose again after planning it.',
  from: 'Planned arrival',
  to: 'New planned arrival',
}

/** The same for a requester. */
export const arrivalForRequesterInEnglish: ArrivalTexts = {
  ...arrivalInEnglish,
  bookedTitle: () => 'An arrival is planned',
  passTitle: 'An arrival is planned',
  cancelAsk: 'Cancel the planned arrival?',
  cancelYes: 'Cancel the planned arrival',
  backToPass: 'Back to the planned arrival',
}

export const arrivalClinicsForRequesterInEnglish: ArrivalClinicsTexts = {
  ...arrivalClinicsInEnglish,
  staysBooked: 'The planned arrival stays until you confirm.',
  stillBooked: 'The planned arrival hasn’t changed.',
  confirmTitle: 'Change the planned arrival?',
  alreadyTitle: 'An arrival at a clinic is already planned. Change it?',
}

export type ArrivalTexts = typeof arrivalInEnglish
export type ArrivalClinicsTexts = typeof arrivalClinicsInEnglish
