// Stands in for systemctl, journalctl and their units where no systemd runs: starts the real programs with what the unit says.
// node systemctl.js FOLDER systemctl enable --now order-testing@api
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const [folder, name, ...typed] = process.argv.slice(2)
const endWithParent = process.env.END_WITH_PARENT
const at = (path) => folder + path
const words = typed.filter((word) => !word.startsWith('-'))

if (name === 'journalctl') {
  for (const unit of typed.filter((word) => word.startsWith('--unit=')).map((word) => word.slice(7)))
    process.stdout.write(readFileSync(at(`/log/${unit}`)))
} else if (typed[0] === 'daemon-reload') {
  readUnit('api')
} else {
  const [verb, ...units] = words
  for (const unit of units) await act(verb, unit.replace(/\.service$/, ''))
}

async function act(verb, unit) {
  const pid = pidOf(unit)
  if (verb === 'reload' && pid) process.kill(pid, 'SIGHUP')
  else if (['enable', 'start', 'restart', 'reload', 'stop'].includes(verb)) {
    if (pid) await end(pid)
    if (verb !== 'stop') start(unit)
  } else throw new Error(`The stand-in for systemctl has no ${verb}.`)
}

function start(unit) {
  mkdirSync(at('/log'), { recursive: true })
  const { file, args, env } = commandOf(unit)
  const log = openSync(at(`/log/${unit}`), 'a')
  const child = spawn(file, args, { env, stdio: ['ignore', log, log, 3], detached: true, cwd: folder })
  closeSync(log)
  writeFileSync(at(`/log/${unit}.pid`), String(child.pid))
  appendFileSync(at('/log/started'), `${child.pid}\n`)
  child.unref()
}

function commandOf(unit) {
  const asPostgres = process.getuid() === 0 ? ['-u', 'postgres'] : []
  if (unit === 'pgbouncer') return supervised('pgbouncer', ...asPostgres, at('/etc/pgbouncer/pgbouncer.ini'))
  if (unit === 'nginx') return supervised('nginx', '-g', 'daemon off;')
  const [, role] = /^order-testing@(api|worker)$/.exec(unit)
  const { execStart, env } = readUnit(role)
  const [ots, ...rest] = execStart.split(' ')
  const program = at(ots)
  return { file: process.execPath, args: ['--import', endWithParent, program, ...rest], env: { ...plain(), ...env } }
}

function supervised(...command) {
  const args = ['--import', endWithParent, fileURLToPath(new URL('supervise.js', import.meta.url)), ...command]
  return { file: process.execPath, args, env: process.env }
}

/** systemd passes on no settings of a terminal. */
function plain() {
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => /^(PATH|HOME|TMPDIR|LANG)$/.test(key)))
}

/** What the unit says for a role: its command and its environment, with copies of its credentials. */
function readUnit(role) {
  const credentials = at(`/run/credentials-${role}`)
  const text = readFileSync(at('/etc/systemd/system/order-testing@.service'), 'utf8')
  const values = (key) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value.replaceAll('%i', role))
  mkdirSync(credentials, { recursive: true })
  for (const credential of values('LoadCredential')) {
    const [id, path] = credential.split(':')
    if (existsSync(at(path))) cpSync(at(path), `${credentials}/${id}`)
  }
  const files = values('EnvironmentFile').flatMap((value) => {
    const path = at(value.replace(/^-/, ''))
    return value.startsWith('-') && !existsSync(path) ? [] : readFileSync(path, 'utf8').split('\n')
  })
  const pairs = [...values('Environment').flatMap((line) => line.split(' ')), ...files]
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).replaceAll('%d', credentials)])
  // Nobody has to notice that a node of a test is leaving.
  const env = { ...Object.fromEntries(pairs), OTS_DRAIN: '0s', OTS_DATA_DIR: at('/var/lib/order-testing') }
  return { execStart: values('ExecStart')[0], env }
}

function pidOf(unit) {
  const file = at(`/log/${unit}.pid`)
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined
  return pid && isRunning(pid) ? pid : undefined
}

async function end(pid) {
  process.kill(pid, 'SIGTERM')
  while (isRunning(pid)) await sleep(20)
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    // A child that ended may be a zombie until its parent notices.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
