// A Chromium whose DevTools a stranger may use. DevTools can open any address, past any proxy, and any file. Chromium
// therefore runs in a box without a network and without the files of this machine. Its profile is in the box's memory,
// so that nothing is left of it. Its own sandbox stays on inside the box.
import { access, chmod, constants, copyFile, link, mkdir, stat } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { EgressGuard } from '../egress/guard.ts'
import type { PassTerms } from '../egress/passes.ts'
import { createPrivateProxy } from '../egress/proxy.ts'
import { createProcessFolder, type ProcessFolder, sweepProcessFolders } from '../process-folder.ts'
import { becoming, boxUserId, findTools, killGroup, optionsOf } from '../sandbox/bubblewrap.ts'
import { startClosed } from '../sandbox/closed-start.ts'
import { bridgeProgram } from './bridge.ts'
import { rentedArguments } from './chromium.ts'

export interface ConfinedChromium {
  /** Opens a connection to the HTTP server of DevTools. Rejects when Chromium has ended. */
  connect(): Promise<Socket>
  /** The path of the browser's own WebSocket: `/devtools/browser/<id>`. */
  readonly browserPath: string
  /** Resolves when Chromium has ended, to whether it ended in order. */
  readonly ended: Promise<{ readonly inOrder: boolean }>
  /** Kills all its processes and removes its sockets. */
  close(): Promise<void>
}

export interface ConfinedChromiumOptions {
  readonly program: string
  /** Chromium's own sandbox. */
  readonly sandbox: boolean
  readonly memoryBytesMax: number
  readonly guard: EgressGuard
  /** What its connections may use. */
  readonly egress: PassTerms
}

export interface ConfinedChromiums {
  /** Throws an Error that tells the operator what to do, or the signal's reason. */
  launch(options: ConfinedChromiumOptions, signal: AbortSignal): Promise<ConfinedChromium>
  /** Removes what all of them share. */
  close(): Promise<void>
}

const purpose = 'browser'
/** Of its profile, its downloads, and the memory that its processes share. */
const filesBytesMax = 500_000_000
const proxyPort = 3_128
const devtoolsPort = 9_222
const memoryCheckMs = 2_000
/** Connections that the box offers at once. It keeps one. */
const offersMax = 8
const printedCharactersMax = 4_000

/**
 * Programs that run where wrapper scripts and their settings are missing; the whole Chromium, which meets fewer walls,
 * first.
 */
const programs = [
  '/usr/lib/chromium/chromium',
  '/usr/lib/chromium-browser/chromium-browser',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/opt/google/chrome/chrome',
  '/usr/lib/chromium/chromium-headless-shell',
]

export async function findConfinable(
  configured: string | undefined = undefined,
): Promise<string | undefined> {
  for (const program of configured === undefined ? programs : [configured])
    if (await isExecutable(program)) return program
  return undefined
}

/** Removes what killed gateways left. */
export async function openConfinedChromiums({
  parent,
}: {
  parent?: string
} = {}): Promise<ConfinedChromiums> {
  await sweepProcessFolders(purpose, parent).catch(() => {})
  let shared: Promise<ProcessFolder> | undefined

  /** The program of Node must be where the user of boxes reaches it. */
  async function prepare(): Promise<ProcessFolder> {
    const folder = await createProcessFolder(purpose, parent)
    const node = path.join(folder.path, 'node')
    const everyoneReads = ((await stat(process.execPath)).mode & constants.S_IROTH) !== 0
    await (everyoneReads ? link(process.execPath, node) : Promise.reject()).catch(async () => {
      await copyFile(process.execPath, node, constants.COPYFILE_FICLONE)
      await chmod(node, 0o755)
    })
    return folder
  }

  return {
    async launch(options, signal) {
      shared ??= prepare().catch((thrown) => {
        shared = undefined
        throw thrown
      })
      return await launch(options, (await shared).path, signal)
    },
    async close() {
      await (await shared?.catch(() => undefined))?.remove()
      shared = undefined
    },
  }
}

async function launch(
  options: ConfinedChromiumOptions,
  sharedFolder: string,
  signal: AbortSignal,
): Promise<ConfinedChromium> {
  signal.throwIfAborted()
  const tools = await findTools()
  const folder = await createProcessFolder(purpose, sharedFolder)
  const sockets = path.join(folder.path, 'io')
  await mkdir(sockets, { mode: 0o711 })
  const { guard, egress: terms } = options
  const socketPath = path.join(sockets, 'egress')
  const proxy = await createPrivateProxy({ guard, socketPath, terms })
  const offers = await receiveOffers(path.join(sockets, 'devtools'))

  const mounts = mountsOf(options.program, { sockets, node: path.join(sharedFolder, 'node') })
  const intoBox = [...becoming(tools.setpriv, boxUserId), tools.bwrap, '--args', '3', '--']
  const command = [...intoBox, ...(await commandOf(options))]
  const child = startClosed(command, ['ignore', 'ignore', 'pipe', 'pipe'])
  const [, , stderr, boxOptions] = child.stdio as unknown as [null, null, Readable, Writable]
  // It may end before it has read its options.
  boxOptions.on('error', () => {})
  const shape = { temporaryBytes: filesBytesMax, mayNest: true }
  boxOptions.end(
    optionsOf(mounts, shape)
      .map((option) => `${option}\0`)
      .join(''),
  )

  const ended = new Promise<{ inOrder: boolean }>((resolve) => {
    child.once('error', () => resolve({ inOrder: false }))
    child.once('exit', (code) => resolve({ inOrder: code === 0 }))
  })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= (async () => {
      killGroup(child)
      if (child.pid !== undefined) await ended
      await Promise.all([proxy.close(), offers.close()])
      await folder.remove()
    })()
    return closing
  }
  try {
    const browserPath = await readAddress(stderr, ended, signal)
    ended.then(close)
    return { connect: offers.take, browserPath, ended, close }
  } catch (thrown) {
    await close()
    throw thrown
  }
}

/** The box reaches the gateway by two sockets in a folder that it cannot change. */
function mountsOf(program: string, { sockets, node }: { sockets: string; node: string }) {
  const folder = path.dirname(program)
  return [
    ...['--ro-bind', sockets, '/run/gateway', '--ro-bind', node, '/run/node'],
    // Without its cache, fontconfig reads all fonts at each start, which doubles the time.
    ...['--ro-bind-try', '/var/cache/fontconfig', '/var/cache/fontconfig'],
    ...(folder.startsWith('/usr/') ? [] : ['--ro-bind', folder, folder]),
    ...['--chdir', '/tmp'],
  ]
}

/** Chromium leads the box, which ends with it. The bridge starts beside it. */
async function commandOf({ program, sandbox, memoryBytesMax }: ConfinedChromiumOptions) {
  const bridge = bridgeProgram({
    egressSocket: '/run/gateway/egress',
    devtoolsSocket: '/run/gateway/devtools',
    proxyPort,
    devtoolsPort,
    memoryBytesMax,
    memoryCheckMs,
  })
  const start = '/run/node -e "$1" & shift; exec "$@"'
  return [
    ...['/bin/sh', '-c', start, 'box', bridge, program],
    ...(await rentedArguments({ program, proxyUrl: `http://127.0.0.1:${proxyPort}`, sandbox })),
    ...['--user-data-dir=/tmp/profile', `--remote-debugging-port=${devtoolsPort}`, 'about:blank'],
  ]
}

/** Waits until Chromium tells the address of its DevTools. */
async function readAddress(
  stderr: Readable,
  ended: Promise<unknown>,
  signal: AbortSignal,
): Promise<string> {
  let printed = ''
  const found = new Promise<string>((resolve) => {
    createInterface({ input: stderr }).on('line', (line) => {
      printed = `${printed}\n${line}`.slice(-printedCharactersMax)
      const address = /^DevTools listening on ws:\/\/[^/]+(\/\S+)/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
  })
  const stopped = new Promise<never>((_resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    found.then(() => signal.removeEventListener('abort', stop))
    ended.then(() => reject(new Error(whyItEnded(printed))))
  })
  return await Promise.race([found, stopped])
}

function whyItEnded(printed: string): string {
  if (/sandbox|namespace|zygote/i.test(printed))
    return 'Chromium cannot use its sandbox in a box of bubblewrap. Allow unprivileged user namespaces, or set CHROMIUM_SANDBOX=off.'
  const [line = 'it gave no reason'] = printed.trim().split('\n').slice(-1)
  return `Chromium did not start in its box (${line}).`
}

/** Connections that the bridge offers, for DevTools. */
async function receiveOffers(socketPath: string) {
  const idle: Socket[] = []
  const waiting: { resolve(socket: Socket): void; reject(reason: Error): void }[] = []
  const server: Server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    const next = waiting.shift()
    if (next !== undefined) next.resolve(socket)
    else if (idle.length < offersMax) {
      idle.push(socket)
      socket.once('close', () => {
        if (idle.includes(socket)) idle.splice(idle.indexOf(socket), 1)
      })
    } else socket.destroy()
  })
  const taken = new Set<Socket>()
  let isClosed = false
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path: socketPath, writableAll: true }, resolve)
  })
  return {
    async take(): Promise<Socket> {
      if (isClosed) throw new Error('The browser has ended.')
      const socket =
        idle.shift() ??
        (await new Promise<Socket>((resolve, reject) => waiting.push({ resolve, reject })))
      taken.add(socket)
      socket.once('close', () => taken.delete(socket))
      return socket
    },
    async close() {
      isClosed = true
      for (const { reject } of waiting.splice(0)) reject(new Error('The browser has ended.'))
      for (const socket of [...idle, ...taken]) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function isExecutable(program: string): Promise<boolean> {
  return access(program, constants.X_OK).then(
    () => true,
    () => false,
  )
}
