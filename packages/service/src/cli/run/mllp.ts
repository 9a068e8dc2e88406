import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Counter, Gauge, type Registry } from 'prom-client'
import { INTAKE_SCOPES } from '@order-testing/contract'
import { hashSecret } from '../../domain/access/tokens.ts'
import { MllpListener, type MllpOptions } from '../../intake/mllp.ts'
import type { Store } from '../../store/store.ts'
import { ConfigRefusal, type Config } from './settings.ts'

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

/** The certificates of the MLLP listener, where it is encrypted; what cannot be used is refused by its setting. */
export async function readLineTls({
  mllpPort,
  mllpTlsCert,
  mllpTlsKey,
  mllpTlsCa,
}: Config): Promise<MllpOptions['tls']> {
  if (mllpPort === undefined || mllpTlsCert === undefined || mllpTlsKey === undefined) return undefined
  // One after the other, so that of several unreadable files the first is always the one named.
  const cert = await readPem('OTS_MLLP_TLS_CERT', mllpTlsCert)
  const key = await readPem('OTS_MLLP_TLS_KEY', mllpTlsKey)
  const ca = mllpTlsCa === undefined ? undefined : await readPem('OTS_MLLP_TLS_CA', mllpTlsCa)
  try {
    createSecureContext({ cert, key, ca })
  } catch (error) {
    const settings = `OTS_MLLP_TLS_CERT, OTS_MLLP_TLS_KEY${ca ? ', OTS_MLLP_TLS_CA' : ''}`
    throw new ConfigRefusal(`${settings}: no certificate and key that can be used: ${(error as Error).message}`)
  }
  return { cert, key, ca }
}

async function readPem(setting: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new ConfigRefusal(`${setting}: cannot read ${path}: ${(error as Error).message}`)
  }
}

interface Surroundings {
  config: Config
  tls: MllpOptions['tls']
  app: FastifyInstance
  logger: Logger
  registry: Registry
}

/** Listens for HL7 over MLLP, where that is wanted. */
export async function startLine(surroundings: Surroundings): Promise<MllpListener | undefined> {
  const { config, tls, app, logger, registry } = surroundings
  const { mllpPort, mllpToken, mllpHost: host } = config
  if (mllpPort === undefined || mllpToken === undefined) return undefined
  if (!tls && !/^(127\.|::1$|localhost$)/.test(host)) {
    logger.warn({ host }, 'MLLP is not encrypted: set OTS_MLLP_TLS_CERT and OTS_MLLP_TLS_KEY, or listen on loopback')
  }
  const dropped = new Counter({
    name: 'ots_mllp_connections_dropped_total',
    help: 'MLLP connections that were ended or not let in, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  })
  const listener = new MllpListener({
    host,
    port: mllpPort,
    tls,
    answer: (message, address) => app.answerHl7(message, mllpToken, address),
    refuse: ({ bytes, ...refused }) => app.refuseHl7(bytes, mllpToken, refused),
    onDropped: (reason) => dropped.inc({ reason }),
    log: logger,
  })
  // Hooks run last first: messages in hand are answered before the threads end that work on them.
  app.addHook('onClose', () => listener.stop())
  const open = new Gauge({
    name: 'ots_mllp_connections',
    help: 'Open MLLP connections.',
    registers: [],
    collect() {
      this.set(listener.connections)
    },
  })
  registry.registerMetric(open)
  const port = await listener.start()
  logger.info({ host, port, tls: tls !== undefined }, 'Listening for HL7 over MLLP')
  return listener
}
