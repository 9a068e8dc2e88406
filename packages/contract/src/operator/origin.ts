import { webAddress } from '../primitives.ts'

const isWeb = (address: string) => /^https?:/i.test(address)

/** A complete callback URL is accepted; only its origin is used. */
export const origin = webAddress(2048).refine(isWeb, 'Expected an http or https URL such as https://hooks.example.com.')
