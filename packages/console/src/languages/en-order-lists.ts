const orders = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'order' : 'orders'}`

/** Saved views. */
export const views = {
  menu: (name: string) => `Change the view ${name}`,
  rename: 'Rename',
  share: 'Share with colleagues',
  unshare: 'Stop sharing',
  left: 'Move left',
  right: 'Move right',
  delete: 'Delete view',
  deleted: (name: string) => `View ${name} deleted`,
  shared: 'Shared with colleagues',
  sharedBy: (name: string) => `Shared by ${name}`,
}

/** What is done to many orders at once. */
export const bulk = {
  all: (total: string) => `Select all ${total}`,
  tooMany: (most: string) => `Narrow the filter to select all: at most ${most}`,
  reading: 'Reading the orders of this filter',
  running: 'Working',
  progress: (text: string, done: string, of: string) => `${text}: ${done} of ${of}`,
  stop: 'Stop',
  left: (count: number, why: string) =>
    `${orders(count)} of the selection ${count === 1 ? 'is' : 'are'} left out because of ${count === 1 ? 'its' : 'their'} status: ${why}.`,
  refused: (count: number) => `${count} refused.`,
  untouched: (count: number) => `${count} not tried.`,
  wasDone: 'done',
  notTried: 'not tried',
  outcome: 'Outcome',
  save: 'Save this list as CSV',
  cancel: {
    title: (count: number) => `Cancel ${orders(count)}`,
    effect:
      'Each order is cancelled for good. Participants get a message, bookings are given back, and receivers get an event for each order.',
    done: (count: number) => `${orders(count)} cancelled`,
  },
  extend: {
    open: 'Extend expiry',
    title: (count: number) => `Extend ${orders(count)}`,
    effect:
      'Each order expires that many days from now. Reminders are planned again, and receivers get an event for each order.',
    done: (count: number) => `${orders(count)} extended`,
  },
  sendLink: {
    title: (count: number) => `Send the link again for ${orders(count)}`,
    effect: 'Each participant gets a message with a new link. Earlier links keep working.',
    done: (count: number) => `Link sent again for ${orders(count)}`,
  },
}

export const exporting = {
  title: 'Export orders',
  reading: 'Reading orders',
  stopped: 'The export was stopped',
}
