// Keeps the variables of JavaScript between calls, inside a box. Without `serve` it hands a piece of code to the
// interpreter of the box, which it starts if there is none, and ends as the code does. Arguments: the folder of the
// interpreter, that of the call, with the code in `c`, stdout in `o` and stderr in `e`, and the language of the code.
import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { connect, createServer } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import vm from 'node:vm'

const [place, call, language] = process.argv.slice(2)
const address = path.join(place, 'javascript')
const attemptsMax = 200

const reach = () =>
  new Promise((resolve) => {
    const client = connect(address, () => resolve(client))
    client.on('error', () => resolve(undefined))
  })

const lineOf = (client) =>
  new Promise((resolve) => {
    const lines = createInterface({ input: client })
    lines.once('line', resolve).once('close', () => resolve(undefined))
  })

function leave(message) {
  writeFileSync(2, `${message}\n`)
  process.exit(1)
}

async function handOver() {
  let client = await reach()
  if (client === undefined) {
    const argv = [path.join(place, 'interpreter.mjs'), place, 'serve', language]
    spawn(process.execPath, argv, { detached: true, stdio: 'ignore' }).unref()
  }
  for (let attempts = 0; client === undefined; attempts += 1) {
    if (attempts === attemptsMax) leave('The interpreter did not start.')
    await sleep(50)
    client = await reach()
  }
  client.write(`${call}\n`)
  const code = await lineOf(client)
  if (code === undefined) leave('The interpreter has ended, and its variables are lost.')
  process.exit(Number(code))
}

/** Thrown by `process.exit`, so that code ends and the interpreter does not. */
class Exit {
  constructor(code) {
    this.code = code
  }
}

let current
const write = (name) => (chunk, encoding, done) => {
  if (current !== undefined) appendFileSync(path.join(current, name), chunk)
  const callback = typeof encoding === 'function' ? encoding : done
  callback?.()
  return true
}

function report(thrown) {
  if (thrown instanceof Exit) return thrown.code
  process.stderr.write(`${thrown instanceof Error ? thrown.stack : inspect(thrown)}\n`)
  return 1
}

async function evaluate(text, filename) {
  const plain = language === 'typescript' ? nodeModule.stripTypeScriptTypes(text) : text
  try {
    await vm.runInThisContext(plain, { filename })
  } catch (thrown) {
    // A script cannot await outside of a function.
    if (!(thrown instanceof SyntaxError) || !/\bawait\b/.test(plain)) throw thrown
    await vm.runInThisContext(`(async () => {${plain}\n})()`, { filename })
  }
}

async function answer(folder, filename) {
  const text = readFileSync(path.join(folder, 'c'), 'utf8')
  const busy = path.join(folder, 'busy')
  writeFileSync(busy, String(process.pid))
  current = folder
  process.exitCode = undefined
  const failed = Promise.withResolvers()
  const onError = (thrown) => failed.reject(thrown)
  process.on('uncaughtException', onError)
  const code = await Promise.race([evaluate(text, filename), failed.promise])
    .then(() => Number(process.exitCode ?? 0), report)
    .finally(() => process.off('uncaughtException', onError))
  process.exitCode = undefined
  current = undefined
  rmSync(busy, { force: true })
  return code & 255
}

async function serve() {
  process.stdout.write = write('o')
  process.stderr.write = write('e')
  process.exit = (code) => {
    throw new Exit(Number(code ?? process.exitCode ?? 0))
  }
  process.on('uncaughtException', () => {})
  globalThis.require = nodeModule.createRequire(path.join(process.cwd(), 'code.js'))
  let count = 0
  let last = Promise.resolve()
  const server = createServer((client) => {
    client.on('error', () => {})
    const line = lineOf(client)
    last = last.then(async () => {
      const folder = await line
      count += 1
      // A call that has ended has no folder, and nothing reads the answer.
      const code = await answer(folder ?? '', `<code ${count}>`).catch(() => 1)
      client.end(`${code}\n`)
    })
  })
  if ((await reach()) !== undefined) return
  const own = `${address}.${process.pid}`
  server.listen(own, () => renameSync(own, address))
}

if (call === 'serve') await serve()
else await handOver()
