// Fly Sprites. A sprite keeps its disk until it is removed, sleeps while it is idle, and costs nothing then.
// Source: the vendor's SDK, @fly/sprites 0.1.0.
import { z } from '#core/action.ts'
import { path } from '#core/path.ts'
import type { Upstream } from '#core/provider.ts'
import { unreadable } from '../../lib/boxes/in-box-script.ts'
import {
  type BoxInput,
  type BoxVendor,
  createBoxKind,
  nameOf,
  readReply,
  templateOf,
  unknownTemplate,
  waitFor,
} from '../../lib/boxes/vendor-box.ts'

/** A sprite goes to sleep by itself after about this time without a command. */
const asleepAfterMs = 60_000
/** Bytes before a piece of output say what it is. */
const marks = { stdout: 1, stderr: 2, exit: 3 }

export const spritesUpstream = {
  baseUrl: 'https://api.sprites.dev',
  credential: {
    aliases: ['SPRITE_TOKEN', 'SPRITES_TOKEN'],
    attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  },
  connectionsMax: 256,
} satisfies Upstream

const boxSchema = z.object({ name: z.string() })
type SpritesBox = z.output<typeof boxSchema>

const described = z.looseObject({ name: z.string() })

const at = (name: string) => path`/v1/sprites/${name}`

const sprites: BoxVendor<BoxInput, SpritesBox> = {
  box: boxSchema,
  async create({ http, sessionId, input }) {
    if (templateOf(input) !== undefined) throw unknownTemplate(['base'])
    const body = { name: nameOf(sessionId) }
    const { name } = readReply(described, await http.post('/v1/sprites', body))
    return { name }
  },
  async execute(http, { name }, run) {
    const { body } = await http.send({
      method: 'POST',
      path: `${at(name)}/exec`,
      as: 'bytes',
      timeoutMs: waitFor(run),
      signal: run.signal,
      // The script is the input of the shell, because addresses have a limit.
      query: { cmd: ['sh'], path: 'sh', stdin: 'true' },
      headers: { 'content-type': 'application/octet-stream' },
      bytes: Buffer.from(run.script),
    })
    return readStdout(body)
  },
  async status(http, { name }) {
    const { status } = await http.send({ method: 'GET', path: at(name), accept: [404] })
    return status === 404 ? 'gone' : 'running'
  },
  async suspend() {
    // A sprite goes to sleep by itself.
  },
  async remove(http, name) {
    await http.send({ method: 'DELETE', path: at(name), accept: [404] })
  },
}

/**
 * Reads the output of a script. The vendor's pieces have no length and end where the network ends them. The script
 * writes only printable characters, so every mark begins a piece.
 */
function readStdout(stream: Buffer): string {
  const kept: number[] = []
  let piece = 0
  for (const [index, byte] of stream.entries()) {
    if (byte === marks.exit && stream.length - index === 2)
      return Buffer.from(kept).toString('latin1')
    if (byte === marks.stdout || byte === marks.stderr) piece = byte
    else if (piece === marks.stdout) kept.push(byte)
  }
  throw unreadable(new Error('The output has no end.'))
}

export const spriteSessions = createBoxKind(sprites, {
  policy: { idle: { afterMs: asleepAfterMs, outcome: 'suspend' } },
  // All sprites have the same size, and the vendor bills all of it while a command is under way.
  perSecond: () => ({ cpu: 8, gigabyte: 4 }),
  idleIsFree: true,
})
