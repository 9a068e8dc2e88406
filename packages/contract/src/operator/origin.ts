import { webAddress } from '../primitives.ts'

const isWeb = (address: string) => /^https?:/i.test(address)

/** The whole address of a callback will do: only its origin is looked at. */
export const origin = webAddress(2048).refine(isWeb, 'Expected an http or https URL such as https://hooks.example.com.')
