// Servers to be sold that die as their test says: at which request, and how much of the answer they have written.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll } from 'vitest'
import { findFreePort } from '../gateways/free-port.ts'
import type { Reply } from '../harness.ts'

export const serverKinds = [
  'an API',
  'an MCP server over HTTP',
  'an MCP server over HTTP that answers in events',
  'an MCP server by command',
] as const
export type ServerKind = (typeof serverKinds)[number]

/** How a request is answered. Halfway: half of the answer, or of its line, has been written. */
export type Way = 'answers' | 'dies' | 'dies halfway' | 'answers and dies'

export interface Asked {
  readonly method: 'initialize' | 'tools/list' | 'call'
  /** What a call is to say. */
  readonly text: string
}

export interface MortalServer {
  readonly name: string
  /** What sells it. */
  readonly sale: object
  /** What it was asked, since it was last forgotten. */
  readonly asked: Asked[]
  /** How it meets each request. */
  decide: (asked: Asked) => Way | Promise<Way>
  /** The tools that it lists. */
  tools: readonly string[]
  /** It tells its client that its tools have changed. */
  sayChanged(): void
  /** Ends it while it is idle. Resolves when it has ended. */
  kill(): Promise<void>
  /** Waits for its death. Its operator then starts it again; a program by command is left to the gateway. */
  revive(): Promise<void>
}

export type MortalServers = Readonly<Record<ServerKind, MortalServer>>

/** What was said, with a mark that no other answer has. */
export const saidIn = ({ body }: Reply): string => body.data.text ?? body.data.content[0].text

const price = 2
/** Where a program says that it is ready, and asks how to answer. */
const socketName = 'control'
const programName = 'program.mts'

/** One of each kind, for all tests of a file. */
export function shareMortalServers(): () => MortalServers {
  let servers: MortalServers | undefined
  const endings: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const started = await Promise.all(
      serverKinds.map(async (kind, at) => [kind, await startServer(kind, at, endings)] as const),
    )
    servers = Object.fromEntries(started) as Record<ServerKind, MortalServer>
  })
  afterAll(async () => {
    for (const end of endings.toReversed()) await end()
  })
  return () => {
    if (servers === undefined) throw new Error('The servers start with the first test.')
    return servers
  }
}

async function startServer(
  kind: ServerKind,
  at: number,
  endings: (() => Promise<unknown>)[],
): Promise<MortalServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-mortal-'))
  endings.push(() => rm(folder, { recursive: true, force: true }))
  // The users of boxes read it.
  await chmod(folder, 0o755)
  const program = path.join(folder, programName)
  await copyFile(path.join(import.meta.dirname, 'mortal-program.ts'), program)
  const control = path.join(folder, socketName)
  const port = kind === 'an MCP server by command' ? undefined : await findFreePort()
  const name = `mortal_${at}`
  const { state, door } = openControl()
  door.listen({ path: control, readableAll: true, writableAll: true })
  await once(door, 'listening')
  endings.push(async () => door.close())

  let child: ChildProcess | undefined
  async function start() {
    if (port === undefined) return
    const isReady = state.nextReady()
    const events = kind.endsWith('events') ? { EVENTS: 'yes' } : {}
    const env = { PATH: process.env.PATH, PORT: String(port), CONTROL: control, ...events }
    child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    await isReady
  }
  await start()
  endings.push(async () => child?.kill('SIGKILL'))

  const address = `http://127.0.0.1:${port}/${kind === 'an API' ? 'openapi.json' : 'mcp'}`
  const command = ['node', program]
  const folders = [{ path: folder }]
  const sale =
    port === undefined
      ? { name, price, program: { command, folders, environment: { CONTROL: control } } }
      : { name, price, address, private: true }
  const { server } = state
  return Object.assign(server, {
    name,
    sale,
    async revive() {
      await state.deaths()
      await start()
    },
  })
}

/** The test's end of the sockets of all programs of one server. */
function openControl() {
  const sockets = new Set<Socket>()
  /** Those that were told to die, and have not. */
  const dying = new Set<Promise<unknown>>()
  let ready = Promise.withResolvers<void>()
  const write = (socket: Socket, message: object) => socket.write(`${JSON.stringify(message)}\n`)
  const expectDeath = (socket: Socket) =>
    dying.add(new Promise((resolve) => socket.once('close', resolve)))

  async function answer(socket: Socket, { seq, ...asked }: Asked & { readonly seq: number }) {
    server.asked.push(asked)
    const way = await server.decide(asked)
    if (way !== 'answers') expectDeath(socket)
    write(socket, { seq, way, tools: server.tools })
  }

  const door: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    const lines = createInterface({ input: socket })
    // A program dies before it has read all of it.
    lines.on('error', () => {})
    lines.on('line', (line) => {
      const message = JSON.parse(line)
      if (message.ready) ready.resolve()
      else void answer(socket, message)
    })
  })

  async function deaths() {
    await Promise.all(dying)
    dying.clear()
  }

  const server: Omit<MortalServer, 'name' | 'sale' | 'revive'> = {
    asked: [],
    decide: () => 'answers',
    tools: ['say', 'spare'],
    sayChanged() {
      const message = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
      for (const socket of sockets) write(socket, message)
    },
    async kill() {
      for (const socket of sockets) {
        expectDeath(socket)
        write(socket, { way: 'dies' })
      }
      await deaths()
    },
  }
  const nextReady = () => {
    ready = Promise.withResolvers<void>()
    return ready.promise
  }
  return { state: { server, deaths, nextReady }, door }
}
