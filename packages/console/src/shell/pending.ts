/** Told whether the page goes away: what it sends then must be sent at once. */
type Action = (isLeaving: boolean) => Promise<unknown>

export interface Pending {
  run: () => void
  cancel: () => void
}

/**
 * Actions that wait until the time for Undo is over. An action of the same kind on the same object is taken once:
 * a double click must not do it twice.
 *
 * | state     | next                                           |
 * |-----------|------------------------------------------------|
 * | waiting   | under way (run, runAll), gone (cancel)         |
 * | under way | gone, when it has succeeded or failed          |
 */
export class PendingActions {
  readonly #waiting = new Map<string, (isLeaving: boolean) => Promise<void>>()
  readonly #underWay = new Map<string, Promise<void>>()

  get isUnderWay(): boolean {
    return this.#underWay.size > 0
  }

  /** Undefined if the same action waits or is under way. */
  add(key: string, action: Action, onFailure: (error: unknown) => void): Pending | undefined {
    if (this.#waiting.has(key) || this.#underWay.has(key)) return undefined
    const start = (isLeaving: boolean) => {
      this.#waiting.delete(key)
      const settled = action(isLeaving)
        .catch(onFailure)
        .then(() => void this.#underWay.delete(key))
      this.#underWay.set(key, settled)
      return settled
    }
    this.#waiting.set(key, start)
    const isMine = () => this.#waiting.get(key) === start
    return {
      run: () => {
        if (isMine()) void start(false)
      },
      cancel: () => {
        if (isMine()) this.#waiting.delete(key)
      },
    }
  }

  /** Ends when nothing waits and nothing is under way. */
  async runAll({ isLeaving = false } = {}): Promise<void> {
    for (const start of this.#waiting.values()) void start(isLeaving)
    await Promise.all(this.#underWay.values())
  }
}
