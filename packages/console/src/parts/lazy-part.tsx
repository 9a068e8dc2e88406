import { lazy, useState, type ComponentType } from 'react'

/** Code of the console that could not be loaded: the service is away, or has a new release with other files. */
export class NotLoadedError extends Error {
  override name = 'NotLoadedError'

  constructor(cause: unknown) {
    super('Code of the console could not be loaded.', { cause })
  }
}

/** Code that is loaded when it is first shown. After a failure it is loaded anew: React would keep the failure for ever. */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const make = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        latest = make()
        throw new NotLoadedError(error)
      }),
    )
  let latest = make()
  return function Part(props: Props) {
    const [Loaded] = useState(() => latest)
    return <Loaded {...props} />
  }
}
