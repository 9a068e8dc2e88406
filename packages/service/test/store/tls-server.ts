import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, chmodSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '@order-testing/embedded-postgres'
import { connect } from '../../src/store/db/pool.ts'
import { freePort } from '../support/processes.ts'

/**
 * `ots` must encrypt, `carded` needs a client certificate too, `open` may connect only without encryption. Everybody else may
 * do either.
 */
const ACCESS = `
local all all trust
hostssl all carded 127.0.0.1/32 trust clientcert=verify-ca
hostnossl all open 127.0.0.1/32 trust
host all open 127.0.0.1/32 reject
hostssl all ots 127.0.0.1/32 trust
hostnossl all ots 127.0.0.1/32 reject
host all either 127.0.0.1/32 trust
`

export interface TlsServer {
  port: number
  stop(): Promise<void>
}

/** A server with encryption whose certificate is for `localhost`; `folder` must be new, and gets the certificates too. */
export async function startTlsServer(folder: string): Promise<TlsServer> {
  makeCertificates(folder)
  // Creates the cluster, and the links that the programs need.
  const embedded = await startEmbedded({ dataDir: folder })
  const admin = connect(embedded.target, { max: 1 })
  await admin.script('create role carded login; create role open login; create role either login')
  await admin.end()
  await embedded.stop()
  const cluster = join(folder, 'postgres')
  const { uid, gid } = statSync(cluster)
  const files = { 'server.crt': join(folder, 'server.crt'), 'server.key': join(folder, 'server.key') }
  for (const file of Object.values(files)) chownSync(file, uid, gid)
  chmodSync(files['server.key'], 0o600)
  writeFileSync(join(cluster, 'pg_hba.conf'), ACCESS)
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    ssl: 'on',
    ssl_cert_file: files['server.crt'],
    ssl_key_file: files['server.key'],
    ssl_ca_file: join(folder, 'ca.crt'),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const who = process.getuid?.() === 0 ? { uid, gid } : {}
  const server = spawn(locatePostgres(), ['-D', cluster, ...args], { ...who, stdio: ['ignore', 'ignore', 'pipe'] })
  let printed = ''
  server.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  while (!printed.includes('ready to accept connections')) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}: ${printed}`)
    await sleep(20)
  }
  return {
    port,
    async stop() {
      const ended = once(server, 'close')
      server.kill('SIGQUIT')
      await ended
    },
  }
}

function locatePostgres(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const ours = createRequire(import.meta.url).resolve('@order-testing/embedded-postgres')
  return join(dirname(dirname(createRequire(ours).resolve(name))), 'native/bin/postgres')
}

/** Two authorities; the certificates of a server and a client of the first, and of a client of the second. */
function makeCertificates(folder: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  for (const name of ['ca', 'other-ca'])
    openssl(
      'req',
      '-x509',
      ...key,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.crt`,
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
    )
  const issue = (name: string, authority: string, subject: string, alternative?: string) => {
    openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject)
    if (alternative !== undefined) writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${alternative}`)
    const extension = alternative === undefined ? [] : ['-extfile', `${name}.ext`]
    const by = ['-CA', `${authority}.crt`, '-CAkey', `${authority}.key`, '-CAcreateserial']
    openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-out', `${name}.crt`, '-days', '2', ...extension)
  }
  issue('server', 'ca', '/CN=localhost', 'DNS:localhost')
  issue('client', 'ca', '/CN=carded')
  issue('stranger', 'other-ca', '/CN=carded')
  openssl('pkcs8', '-topk8', '-in', 'client.key', '-out', 'locked.key', '-passout', 'pass:open-sesame')
}
