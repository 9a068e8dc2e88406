import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { NotLoadedError } from '../parts/lazy-part.tsx'

/**
 * A page whose code is loaded when it is opened. The router would reload the window when that fails, also while offline.
 * What the page returns is not looked at here: its types depend on those of the router.
 */
export const lazyPage = (load: () => Promise<{ default: unknown }>): RouteComponent =>
  lazyRouteComponent(() =>
    (load() as Promise<{ default: RouteComponent }>).catch((error: unknown): never => {
      throw new NotLoadedError(error)
    }),
  )
