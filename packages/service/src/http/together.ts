/**
 * Does the same work for many: for everything given in one turn of the event loop, at its end. A request that passes through all
 * steps alone finds the code of each step gone from the processor's cache: catalog reads come at 0.7 of their rate without this
 * (`npm run bench -- catalog`, once with `work(item)` in place of the list). An idle service waits for nothing: its turn ends at
 * once.
 */
export function together<Item>(work: (item: Item) => void): (item: Item) => void {
  let given: Item[] = []
  const workThrough = () => {
    const items = given
    given = []
    for (const item of items) work(item)
  }
  return (item) => {
    if (given.push(item) === 1) setImmediate(workThrough)
  }
}

/** The same for those that go on when they are told. */
export function goOnTogether(): () => Promise<void> {
  const tell = together((goOn: () => void) => goOn())
  return () => new Promise(tell)
}
