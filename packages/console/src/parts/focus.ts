import { useEffect, useState } from 'react'

/** The places that the dialog opened last can return to. */
let latest: readonly Element[] = []

/** When this closes, gives the focus back to what had it before, unless something else has it by then. */
export function useFocusReturn(): void {
  const [places] = useState(() => (latest = placesOf(document.activeElement)))
  useEffect(
    () => () => {
      const place = places.find(({ isConnected }) => isConnected)
      if (document.activeElement === document.body && place instanceof HTMLElement) place.focus({ preventScroll: true })
    },
    [places],
  )
}

/** A menu is gone by then, but its button is not. A dialog that follows another returns to where that one was opened. */
function placesOf(focused: Element | null): readonly Element[] {
  if (!focused || focused === document.body) return []
  const button = document.getElementById(focused.closest('[role=menu]')?.getAttribute('aria-labelledby') ?? '')
  return [button ?? focused, ...(focused.closest('[role=dialog]') ? latest : [])]
}
