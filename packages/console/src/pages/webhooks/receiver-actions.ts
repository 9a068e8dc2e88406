import type { Receiver } from '@order-testing/client/operator'

type ReceiverAction = 'probe' | 'resume' | 'pause'

/** A paused receiver can only be resumed. One with an open circuit can be probed, closed by hand, or paused. */
export function actionsOf({ state, pausedAt }: Pick<Receiver, 'state' | 'pausedAt'>): ReceiverAction[] {
  if (pausedAt !== null) return ['resume']
  if (state === 'closed') return ['pause']
  return state === 'open' ? ['probe', 'resume', 'pause'] : ['resume', 'pause']
}
