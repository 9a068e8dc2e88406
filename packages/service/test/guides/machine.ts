import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { newFolder } from '../support/folders.ts'
import { END_WITH_PARENT, freePort, OTS } from '../support/processes.ts'
import type { Guide } from './blocks.ts'
import { Reader } from './reader.ts'
import type { Place } from './terminal.ts'

const run = promisify(execFile)
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const SUPERVISE = fileURLToPath(new URL('./supervise.js', import.meta.url))
const SYSTEMCTL = fileURLToPath(new URL('./systemctl.js', import.meta.url))

/** Ports that the guides use, each of which is another one in a run. */
const PORTS = ['80', '443', '2575', '3000', '5432', '6432', '8080', '9000', '9001'] as const

/** A folder that stands for the machine of an administrator: its paths, its ports, and the programs it runs. */
export class Machine {
  readonly folder: string
  readonly #ports: Record<string, number>
  #database: ChildProcess | undefined

  private constructor(folder: string, ports: Record<string, number>) {
    this.folder = folder
    this.#ports = ports
  }

  static async make(): Promise<Machine> {
    const ports = Object.fromEntries(await Promise.all(PORTS.map(async (port) => [port, await freePort()] as const)))
    const machine = new Machine(await newFolder(), ports)
    await machine.#makeCommands()
    await symlink(join(ROOT, 'deploy'), join(machine.folder, 'deploy'))
    return machine
  }

  port(number: (typeof PORTS)[number]): number {
    return this.#ports[number]!
  }

  /** A guide's text with the paths, ports and names of this machine. */
  readonly adapt = (text: string): string =>
    text
      .replaceAll(/(?<![\w.}])\/(etc|opt|run|srv|usr\/share|var)\/(?=[a-z])/g, `${this.folder}/$1/`)
      .replaceAll('https://testing.example.com', `https://localhost:${this.#ports['443']}`)
      .replaceAll(/(testing|db)\.example\.com/g, 'localhost')
      .replaceAll(/(?<![\d.])(80|443|2575|3000|5432|6432|8080|9000|9001)(?![\d%])/g, (port) =>
        String(this.#ports[port]),
      )

  /** Where commands are typed: as a superuser of the database, with the certificate of the machine trusted. */
  get place(): Place {
    const certificate = join(this.folder, 'certificate.pem')
    const ours = {
      PATH: `${join(this.folder, 'bin')}:${process.env['PATH']}:/usr/sbin`,
      END_WITH_PARENT,
      PGHOST: this.folder,
      PGPORT: String(this.port('5432')),
      PGUSER: 'postgres',
      PORT: String(this.port('3000')),
      ...(this.#database && { CURL_CA_BUNDLE: certificate, NODE_EXTRA_CA_CERTS: certificate }),
      NO_COLOR: '1',
    }
    const theirs = Object.entries(process.env).filter(
      ([name]) => !/^(OTS_|DATABASE_URL|NODE_OPTIONS|FORCE_COLOR)/.test(name),
    )
    return { cwd: this.folder, env: { ...Object.fromEntries(theirs), ...ours } }
  }

  async write(path: string, text: string, mode = 0o644): Promise<void> {
    await mkdir(dirname(join(this.folder, path)), { recursive: true })
    await writeFile(join(this.folder, path), text, { mode })
  }

  /** Puts the certificate of the machine, or its key, where a guide expects one. */
  async copyCertificate(path: string): Promise<void> {
    const name = path.endsWith('key.pem') ? 'certificate-key.pem' : 'certificate.pem'
    await copyFile(join(this.folder, name), join(this.folder, path))
  }

  /** Installed programs, and stand-ins for those that need a whole system. */
  async #makeCommands(): Promise<void> {
    const node = `exec '${process.execPath}'`
    const commands = {
      ots: `${node} '${OTS}' "$@"`,
      npx: `shift\n${node} '${OTS}' "$@"`,
      npm: `[ "$1" = start ] || exit 127\n${node} '${OTS}' serve`,
      systemctl: `${node} '${SYSTEMCTL}' '${this.folder}' systemctl "$@"`,
      // Only root gives files away.
      ...(process.getuid!() !== 0 && { chown: 'exit 0' }),
      journalctl: `${node} '${SYSTEMCTL}' '${this.folder}' journalctl "$@"`,
      nginx: `exec /usr/sbin/nginx -c '${this.folder}/etc/nginx/nginx.conf' -p '${this.folder}' -e '${this.folder}/log/nginx-errors' "$@"`,
    }
    for (const [name, text] of Object.entries(commands)) await this.write(`bin/${name}`, `#!/bin/sh\n${text}\n`, 0o755)
    await this.write('opt/order-testing/node_modules/.bin/ots', `#!/usr/bin/env node\nawait import('${OTS}')\n`, 0o755)
    await this.write('log/nginx-errors', '')
    await this.write('etc/nginx/nginx.conf', NGINX(this.folder))
    for (const path of [
      'etc/nginx/conf.d',
      'etc/pgbouncer',
      'etc/prometheus',
      'etc/ssl',
      'etc/systemd/system',
      'srv',
      'var/lib',
    ])
      await mkdir(join(this.folder, path), { recursive: true })
  }

  /** A PostgreSQL server as Debian has it, with TLS and passwords for connections over the network. */
  async startDatabase(): Promise<void> {
    const files = ['-keyout', join(this.folder, 'certificate-key.pem'), '-out', join(this.folder, 'certificate.pem')]
    await run('openssl', ['req', '-x509', '-newkey', 'ec', ...CERTIFICATE, ...files])
    await chmod(join(this.folder, 'certificate-key.pem'), 0o600)
    const user = await databaseUser()
    const [data, bin] = [join(this.folder, 'cluster/data'), serverFolder()!]
    for (const folder of [this.folder, dirname(data)]) {
      await mkdir(folder, { recursive: true })
      await chmod(folder, 0o777)
    }
    await run(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-N', ...AUTHENTICATION], user)
    for (const name of ['certificate.pem', 'certificate-key.pem'])
      await copyFile(join(this.folder, name), join(data, name))
    if (user.uid !== undefined) await run('chown', ['-R', 'postgres', data])
    const settings = {
      port: this.port('5432'),
      listen_addresses: 'localhost',
      unix_socket_directories: this.folder,
      ssl: 'on',
      ssl_cert_file: 'certificate.pem',
      ssl_key_file: 'certificate-key.pem',
    }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const args = ['--import', END_WITH_PARENT, SUPERVISE, join(bin, 'postgres'), '-D', data, ...options]
    this.#database = spawn(process.execPath, args, { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
    let said = ''
    this.#database.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()))
    while (!(await accepts(this.port('5432')))) {
      if (this.#database.exitCode !== null) throw new Error(`PostgreSQL ended: ${said}`)
      await sleep(50)
    }
  }

  /** Ends everything that was started on it. */
  async stop(): Promise<void> {
    const started = await readFile(join(this.folder, 'log/started'), 'utf8').catch(() => '')
    for (const pid of started.split('\n').filter((line) => line !== '')) {
      try {
        process.kill(Number(pid), 'SIGTERM')
      } catch {
        // It has ended before.
      }
    }
    if (!this.#database || this.#database.exitCode !== null) return
    const ended = once(this.#database, 'close')
    this.#database.kill('SIGTERM')
    await ended
  }
}

/** Runs the commands of a guide on a machine, and ends what they started. */
export async function follow(guide: Guide, machine: Machine): Promise<void> {
  const reader = new Reader(guide, machine.place, machine.adapt)
  try {
    await reader.read()
  } finally {
    await reader.close()
  }
}

/** PostgreSQL refuses to run as root. */
async function databaseUser(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid!() !== 0) return {}
  const [uid, gid] = await Promise.all(['-u', '-g'].map((option) => run('id', [option, 'postgres'])))
  return { uid: Number(uid!.stdout), gid: Number(gid!.stdout) }
}

const CERTIFICATE =
  '-pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'.split(
    ' ',
  )
const AUTHENTICATION = ['--auth-local=trust', '--auth-host=scram-sha-256']

/** The newest PostgreSQL server of the system, as Debian installs it. */
export function serverFolder(): string | undefined {
  const parent = '/usr/lib/postgresql'
  const versions = existsSync(parent) ? readdirSync(parent).toSorted((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(parent, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')))
}

const NGINX = (folder: string) => `
pid ${folder}/nginx.pid; error_log ${folder}/log/nginx-errors;
${process.getuid!() === 0 ? 'user root;' : ''}
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  include ${folder}/etc/nginx/conf.d/*.conf;
}`

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
