/** Moving between orders, and the participant's page. */
export const orderMore = {
  neighbors: 'Orders of the list',
  previous: 'Previous order (K)',
  next: 'Next order (J)',
  position: (at: string, total: string) => `${at} of ${total}`,
  viewAs: 'View as participant',
  viewNote: 'Opens a read-only page for five minutes. Recorded.',
}

export const documents = {
  title: 'Documents',
  none: 'This order has no documents yet.',
  download: 'Download',
  save: (name: string) => `Download ${name}`,
  recorded: 'Each download is recorded.',
  kinds: {
    result: 'Result report',
    collection: 'Custody form or collection report',
    pass: 'Pass for the clinic',
    agreement: 'Signed or agreed text',
  } as Record<string, string>,
}

export const matching = {
  title: 'Matching',
  again: 'Posted again on',
  score: (score: number, least: number) => `Score ${score}, at least ${least} needed.`,
  compare: 'Compare',
  dialog: 'Why this order was returned',
  member: 'Member',
  asked: 'What was asked for',
  found: 'On file now',
  points: 'Points',
  of: (points: number, weight: number) => `${points} of ${weight}`,
  hidden: 'hidden',
  decided: 'What decided:',
  noLimit: 'No rule limits the score.',
  threshold: (score: number, least: number, profile: string) =>
    `With ${score} points the request counts as the same order: the ${profile} asks for ${least}. It was returned, and no new one was placed.`,
  notKept:
    'The request itself is not kept: the table tells how each member compared with what was on file at that time.',
  profiles: { standard: 'standard profile', appCollection: 'profile for collections in the app' } as Record<
    string,
    string
  >,
  fields: {
    last: 'Last name',
    first: 'First name',
    middle: 'Middle name',
    birthDate: 'Birth date',
    identifiers: 'Identifiers',
    email: 'E-mail',
    phone: 'Phone',
  } as Record<string, string>,
  kinds: {
    equal: 'the same',
    alike: 'alike',
    nickname: 'a short form',
    initial: 'the initial',
    middle: 'the middle name',
    renamed: 'another last name, same person',
    lastFour: 'the same last four digits',
    subset: 'a part of it',
    different: 'different',
  } as Record<string, string>,
  caps: {
    conflict: 'Names, birth date or identifiers contradict each other',
    twoMismatches: 'Two of name and birth date differ',
    twoMismatchesSameIdentifier: 'Two of name and birth date differ, with the same identifier',
    mismatch: 'One of name and birth date differs',
    lessKnown: 'The request says more than the order confirms',
  } as Record<string, string>,
}
