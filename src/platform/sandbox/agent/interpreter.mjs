// Runs pieces of JavaScript one after the other and keeps their variables. Code comes by descriptor 3, replies leave by
// 4. Before each piece come two numbers of four bytes: its size, and the milliseconds that it has.
import fs from 'node:fs'
import { Session } from 'node:inspector/promises'
import module from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'

/** Where the stack of the code ends and that of this file begins. */
const ownFrames = /\n {4}at (?:new )?Session\./
const isTypeScript = process.argv[2] === 'typescript'
const session = new Session()
session.connect()
globalThis.require = module.createRequire(`${process.cwd()}/`)
// An interrupt ends the code under way, not this process.
let interrupt = () => {}
process.on('SIGINT', () => interrupt())
// Of a timer, or of a promise that no code waits for: the variables outlive it.
process.on('uncaughtException', tell)

function tell(thrown) {
  const text = typeof thrown === 'string' ? thrown : inspect(thrown).split(ownFrames)[0]
  process.stderr.write(`${text}\n`)
}

/** An interrupt that came too late for its code is handled before the next one begins. */
async function dropInterrupts() {
  interrupt = () => {}
  // The first may follow upon what has been read already; signals are read between the two.
  await setImmediate()
  await setImmediate()
}

async function run(text, timeout) {
  const interrupted = new Promise((_, reject) => {
    interrupt = () => reject('The code ran out of time.')
  })
  const expression = isTypeScript ? module.stripTypeScriptTypes(text) : text
  const evaluated = session.post('Runtime.evaluate', {
    expression,
    replMode: true,
    awaitPromise: true,
    // An interrupt does not reach code that never waits. The agent’s own timeout comes first.
    timeout: timeout + 100,
  })
  // The inspector answers with an error of its own when the time is up.
  const outOfTime = evaluated.catch(() => {
    throw 'The code ran out of time.'
  })
  const awake = setInterval(() => {}, 1_000_000)
  const { exceptionDetails } = await Promise.race([outOfTime, interrupted]).finally(() =>
    clearInterval(awake),
  )
  if (exceptionDetails === undefined) return
  const { exception, text: summary } = exceptionDetails
  throw exception?.description?.split(ownFrames)[0] ?? exception?.value ?? summary
}

function readExactly(size) {
  const content = Buffer.alloc(size)
  let at = 0
  while (at < size) {
    const read = fs.readSync(3, content, at, size - at, null)
    if (read === 0) process.exit(0)
    at += read
  }
  return content
}

const flushed = (stream) => new Promise((resolve) => stream.write('', resolve))

while (true) {
  // The event loop goes on between two pieces of code only while one is under way.
  const sizes = readExactly(8)
  const text = readExactly(sizes.readUInt32BE(0)).toString()
  let reply = '0'
  await dropInterrupts()
  try {
    await run(text, sizes.readUInt32BE(4))
  } catch (thrown) {
    reply = '1'
    tell(thrown)
  }
  await Promise.all([flushed(process.stdout), flushed(process.stderr)])
  fs.writeSync(4, reply)
}
