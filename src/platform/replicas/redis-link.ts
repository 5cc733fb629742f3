// The connection to Redis or Valkey. A call never waits for it longer than `answerMsMax`: after that, and while the
// connection is broken, it is away, and the gateway goes on with what it knows by itself. It is asked again as soon as
// it has answered anything, or the connection is back.
import { createHash, createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient, RESP_TYPES } from '@redis/client'
import type { Log } from '#core/ports.ts'

/** The longest that a call waits for Redis. */
export const answerMsMax = 50
const tickMs = 10
const ticksMax = answerMsMax / tickMs
/** A start waits this long for the connection. */
const firstConnectionMsMax = 2_000
const reconnectAfterMs = 250
const connectTimeoutMs = 2_000
/** An idle connection is tried out this often, and given up after so long without a word. */
const pingIntervalMs = 1_000
const silenceMsMax = 5_000
/** Commands that wait for their answers at once. Above it, Redis is away. */
const commandsMax = 10_000
const nameCharacters = 27

export interface RedisScript {
  readonly text: string
  readonly digest: string
}

export const defineScript = (text: string): RedisScript => ({
  text,
  digest: createHash('sha1').update(text).digest('hex'),
})

type Argument = string | Buffer

export interface RedisLink {
  /** The key under which all gateways of the database know this name. It does not show the name. */
  keyOf(name: string): string
  /** Runs a script. Undefined while Redis is away. */
  run(
    script: RedisScript,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<Reply | undefined>
  /** Sends a command whose answer is bytes or null. Undefined while Redis is away. */
  send(command: readonly Argument[]): Promise<{ readonly bytes: Buffer | null } | undefined>
  close(): Promise<void>
}

/** What the scripts answer: whole numbers. */
type Reply = readonly number[]

export async function openRedisLink(options: {
  readonly url: string
  /** Shared by the gateways of one database. Names its keys. */
  readonly secret: string
  readonly log: Log
}): Promise<RedisLink> {
  const { secret, log } = options
  const client = createClient({
    url: options.url.replace(/^valkey(s?):/, 'redis$1:'),
    disableOfflineQueue: true,
    commandsQueueMaxLength: commandsMax,
    pingInterval: pingIntervalMs,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: {
      reconnectStrategy: reconnectAfterMs,
      connectTimeout: connectTimeoutMs,
      socketTimeout: silenceMsMax,
    },
  })
  const bytesClient = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
  const state = createState(log)
  const patience = createPatience(() => state.lost(`It did not answer within ${answerMsMax} ms.`))
  client.on('error', (error: Error) => state.lost(error.message))
  client.on('ready', state.found)
  client.on('ping-interval', state.found)

  /** Undefined when there is no answer in time. The command may still be carried out. */
  async function inTime<Answer>(command: () => Promise<Answer>): Promise<Answer | undefined> {
    if (!client.isReady || state.isAway()) return undefined
    const asking = command().then(
      (answer) => {
        state.found()
        return answer
      },
      (error: Error) => {
        state.lost(error.message)
        return undefined
      },
    )
    return await Promise.race([asking, patience.over(asking)])
  }

  const connected = client.connect().catch((error: Error) => state.lost(error.message))
  await Promise.race([connected, delay(firstConnectionMsMax, undefined, { ref: false })])
  if (!client.isReady) state.lost('There is no connection.')

  return {
    keyOf(name) {
      const digest = createHmac('sha256', secret).update(name).digest('base64url')
      return `tollway:${digest.slice(0, nameCharacters)}`
    },
    async run({ text, digest }, keys, args) {
      const rest = [String(keys.length), ...keys, ...args.map(String)]
      return await inTime(() =>
        client
          .sendCommand<Reply>(['EVALSHA', digest, ...rest])
          .catch((error: Error) =>
            error.message.startsWith('NOSCRIPT')
              ? client.sendCommand<Reply>(['EVAL', text, ...rest])
              : Promise.reject(error),
          ),
      )
    },
    async send(command) {
      return await inTime(async () => ({
        bytes: await bytesClient.sendCommand<Buffer | null>([...command]),
      }))
    },
    async close() {
      state.stop()
      client.destroy()
      await connected
    },
  }
}

/**
 * Waits for answers up to `answerMsMax`. It counts ticks of this process, because a process that is too busy to send or
 * to listen says nothing about Redis.
 */
function createPatience(onEnd: () => void) {
  let tick = 0
  let ticking: NodeJS.Timeout | undefined
  const waiting = new Map<number, { readonly untilTick: number; readonly giveUp: () => void }>()
  let asked = 0

  function stop() {
    clearInterval(ticking)
    ticking = undefined
  }

  function onTick() {
    tick += 1
    // What has arrived by now is read first.
    setImmediate(() => {
      for (const { untilTick, giveUp } of waiting.values()) {
        if (untilTick > tick) break
        giveUp()
      }
    })
  }

  return {
    over: (asking: Promise<unknown>) =>
      new Promise<undefined>((resolve) => {
        asked += 1
        const id = asked
        const end = () => {
          waiting.delete(id)
          if (waiting.size === 0) stop()
          resolve(undefined)
        }
        const giveUp = () => {
          onEnd()
          end()
        }
        waiting.set(id, { untilTick: tick + ticksMax, giveUp })
        ticking ??= setInterval(onTick, tickMs)
        void asking.finally(end)
      }),
  }
}

/** Whether Redis answers. The log hears of each change once. */
function createState(log: Log) {
  let isAway = false
  let isClosing = false
  return {
    isAway: () => isAway,
    stop() {
      isClosing = true
    },
    found() {
      if (isAway) log.info({}, 'Redis answers again. All gateways count together.')
      isAway = false
    },
    lost(reason: string) {
      if (!isAway && !isClosing)
        log.warn(
          { reason },
          'Redis (REDIS_URL) is away. Until it is back, this gateway counts alone.',
        )
      isAway = true
    },
  }
}
