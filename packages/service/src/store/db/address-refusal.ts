/** The address cannot be used; the message says why. */
export class AddressRefusal extends Error {}

export function refuseAddress(message: string): never {
  throw new AddressRefusal(message)
}
