import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { INTAKE_SCOPES } from '@order-testing/contract'
import { hashSecret } from '../domain/tokens.ts'
import { MllpListener } from '../intake/mllp.ts'
import type { Store } from '../store/store.ts'
import { ConfigRefusal, type Config } from './config.ts'

/** A line with a token that opens nothing would refuse all messages, and laboratories do not look at refusals often. */
export async function checkLineToken({ mllpPort, mllpToken }: Config, store: Store): Promise<void> {
  if (mllpPort === undefined || mllpToken === undefined) return
  const token = await store.tokens.findUsable(hashSecret(mllpToken))
  if (!token || (token.expiresAt && token.expiresAt <= new Date())) {
    throw new ConfigRefusal(
      'OTS_MLLP_TOKEN: there is no such token, or it was revoked or has expired. Make one: ots token create --scopes intake.lab',
    )
  }
  if (!INTAKE_SCOPES.some((scope) => token.scopes.has(scope))) {
    throw new ConfigRefusal(
      `OTS_MLLP_TOKEN: the token ${token.tokenId} brings no results. It needs one of the scopes ${INTAKE_SCOPES.join(', ')}.`,
    )
  }
}

/** Listens for HL7 over MLLP, where that is wanted. */
export async function startLine({ config, app, logger }: Surroundings): Promise<MllpListener | undefined> {
  const { mllpPort, mllpToken, host } = config
  if (mllpPort === undefined || mllpToken === undefined) return undefined
  const answer = (message: Buffer) => app.answerHl7(message, mllpToken)
  const listener = new MllpListener({ host, port: mllpPort, answer, log: logger })
  const port = await listener.start()
  logger.info({ host, port }, 'listening for HL7 over MLLP')
  return listener
}

interface Surroundings {
  config: Config
  app: FastifyInstance
  logger: Logger
}
