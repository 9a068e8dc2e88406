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

/** With an unusable token the listener would reject every message, and laboratories may not notice that for long. */
export async function checkMllpToken({ mllpPort, mllpToken }: Config, store: Store): Promise<void> {
  if (mllpPort === undefined || mllpToken === undefined) return
  const token = await store.tokens.findUsable(hashSecret(mllpToken))
  if (!token || (token.expiresAt && token.expiresAt <= new Date())) {
    throw new ConfigRefusal(
      'OTS_MLLP_TOKEN: unknown, revoked or expired token. Create one with: ots token create --scopes intake.lab',
    )
  }
  if (!INTAKE_SCOPES.some((scope) => token.scopes.has(scope))) {
    throw new ConfigRefusal(
      `OTS_MLLP_TOKEN: token "${token.tokenId}" needs one of the scopes ${INTAKE_SCOPES.join(', ')}.`,
    )
  }
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
  { mllpPort, mllpToken, mllpHost: host }: Config,
  {
    tls,
    app,
    logger,
    registry,
  }: Pick<MllpOptions, 'tls'> & { app: FastifyInstance; logger: Logger; registry: Registry },
): Promise<MllpListener | undefined> {
  if (mllpPort === undefined || mllpToken === undefined) return undefined
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
    answer: (message, address) => app.answerHl7(message, mllpToken, address),
    refuse: ({ bytes, ...refused }) => app.refuseHl7(bytes, mllpToken, refused),
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
  const port = await listener.start()
  logger.info({ host, port, tls: tls !== undefined }, 'Listening for HL7 over MLLP')
  return listener
}
