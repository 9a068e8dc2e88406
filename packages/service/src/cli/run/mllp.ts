import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Counter, Gauge, type Registry } from 'prom-client'
import { INTAKE_SCOPES } from '@order-testing/contract'
import { hashSecret } from '../../domain/access/tokens.ts'
import { MllpListener, type MllpOptions } from '../../intake/mllp.ts'
import type { Store } from '../../store/store.ts'
import { listenOrRefuse } from './port.ts'
import { ConfigRefusal, type Config } from './settings.ts'

/**
 * Without a usable token the listener would reject every message, and laboratories may not notice that for long. One of several
 * may be unusable: that is how a token is replaced.
 */
export async function checkMllpTokens({ mllpPort, mllpTokens }: Config, store: Store, logger: Logger): Promise<void> {
  if (mllpPort === undefined || mllpTokens === undefined) return
  const found = await Promise.all(mllpTokens.map((secret) => store.tokens.findUsable(hashSecret(secret))))
  const usable = found.filter((token) => token && (token.expiresAt === null || token.expiresAt > new Date()))
  if (usable.length === 0) {
    throw new ConfigRefusal(
      'OTS_MLLP_TOKEN: unknown, revoked or expired token. Create one with: ots token create --scopes intake.lab',
    )
  }
  const idle = usable.find((token) => !INTAKE_SCOPES.some((scope) => token!.scopes.has(scope)))
  if (idle) {
    throw new ConfigRefusal(
      `OTS_MLLP_TOKEN: token "${idle.tokenId}" needs one of the scopes ${INTAKE_SCOPES.join(', ')}.`,
    )
  }
  const unusable = mllpTokens.length - usable.length
  if (unusable > 0) logger.warn({ unusable }, 'Tokens of OTS_MLLP_TOKEN are unknown, revoked or expired: remove them')
}

/** Reads the certificates of the MLLP listener; undefined if it is not encrypted. */
export async function readMllpTls(config: Config): Promise<MllpOptions['tls']> {
  const { mllpPort, mllpTlsCert, mllpTlsKey, mllpTlsCa } = config
  if (mllpPort === undefined || mllpTlsCert === undefined || mllpTlsKey === undefined) return undefined
  // One after the other, so that the message always names the first unreadable file.
  const cert = await readPem('OTS_MLLP_TLS_CERT', mllpTlsCert)
  const key = await readPem('OTS_MLLP_TLS_KEY', mllpTlsKey)
  const ca = mllpTlsCa === undefined ? undefined : await readPem('OTS_MLLP_TLS_CA', mllpTlsCa)
  try {
    createSecureContext({ cert, key, ca })
  } catch (error) {
    const settings = `OTS_MLLP_TLS_CERT, OTS_MLLP_TLS_KEY${ca ? ', OTS_MLLP_TLS_CA' : ''}`
    throw new ConfigRefusal(`${settings}: unusable certificate or key: ${(error as Error).message}`)
  }
  return { cert, key, ca }
}

const readPem = (setting: string, path: string) =>
  readFile(path).catch((error: Error) => {
    throw new ConfigRefusal(`${setting}: cannot read ${path}: ${error.message}`)
  })

/** Listens for HL7 over MLLP if OTS_MLLP_PORT is set. */
export async function startMllp(
  { mllpPort, mllpTokens, mllpHost: host }: Config,
  {
    tls,
    app,
    logger,
    registry,
  }: Pick<MllpOptions, 'tls'> & { app: FastifyInstance; logger: Logger; registry: Registry },
): Promise<MllpListener | undefined> {
  if (mllpPort === undefined || mllpTokens === undefined) return undefined
  if (!tls && !/^(127\.|::1$|localhost$)/.test(host)) {
    logger.warn({ host }, 'MLLP is not encrypted: set OTS_MLLP_TLS_CERT and OTS_MLLP_TLS_KEY, or listen on loopback')
  }
  const dropped = new Counter({
    name: 'ots_mllp_connections_dropped_total',
    help: 'MLLP connections closed or refused, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  })
  const listener = new MllpListener({
    host,
    port: mllpPort,
    tls,
    answer: (message, address) => app.answerHl7(message, mllpTokens, address),
    refuse: ({ bytes, ...refused }) => app.refuseHl7(bytes, mllpTokens[0]!, refused),
    onDropped: (reason) => dropped.inc({ reason }),
    log: logger,
  })
  // Hooks run in reverse order: current messages are answered before the threads that process them end.
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
  const port = await listenOrRefuse({ port: mllpPort, host, prefix: 'OTS_MLLP_' }, () => listener.start())
  logger.info({ host, port, tls: tls !== undefined }, 'Listening for HL7 over MLLP')
  return listener
}
