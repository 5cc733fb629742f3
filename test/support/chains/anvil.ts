// One local node: a real `anvil` process that ends with this process, even if this process is killed.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { request } from 'undici'
import type { UntypedJson } from '#core/replies/untyped-json.ts'

/** The binary is optional among the packages there, because it does not exist for every machine. */
const oracles = new URL('../../../oracles/package.json', import.meta.url)
const remedy = 'Run `npm ci` in oracles/.'
const startTimeoutMs = 30_000

export interface Node {
  readonly rpcUrl: string
  rpc(method: string, params?: readonly unknown[]): Promise<UntypedJson>
  stop(): Promise<void>
}

/** The path of the binary for this machine, or the reason why there is none. */
export function findAnvil(): { readonly binary: string } | { readonly reason: string } {
  const name = `@foundry-rs/anvil-${process.platform}-${process.arch.replace('x64', 'amd64')}`
  const require = createRequire(oracles)
  try {
    const folder = path.dirname(require.resolve(`${name}/package.json`))
    const binary = path.join(folder, 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
    return existsSync(binary) ? { binary } : { reason: `${name} holds no binary. ${remedy}` }
  } catch {
    return { reason: `There is no local chain here: ${name} is not installed. ${remedy}` }
  }
}

// The shell holds one end of a pipe. When this process ends, even killed, the pipe closes and the node ends too.
const untilPipeCloses =
  '"$@" <&- & node=$!; cat > /dev/null; kill "$node" 2> /dev/null; wait "$node"'

export async function startNode(flags: readonly string[]): Promise<Node> {
  const found = findAnvil()
  if ('reason' in found) throw new Error(found.reason)
  const child = spawn(
    '/bin/sh',
    ['-c', untilPipeCloses, 'sh', found.binary, '--port', '0', '--host', '127.0.0.1', ...flags],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const gone = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const port = await new Promise<string>((resolve, reject) => {
    let said = ''
    const read = (chunk: Buffer) => {
      said += chunk
      const listening = /Listening on [^\s:]+:(\d+)/.exec(said)?.[1]
      if (listening === undefined) return
      // It goes on to print a line for every request.
      for (const stream of [child.stdout, child.stderr]) stream.off('data', read).resume()
      resolve(listening)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('error', reject)
    child.on('close', () => reject(new Error(`The local chain did not start: ${said}`)))
    setTimeout(
      () => reject(new Error(`The local chain did not report that it is ready: ${said}`)),
      startTimeoutMs,
    ).unref()
  }).catch((error: unknown) => {
    child.stdin.end()
    throw error
  })
  const rpcUrl = `http://127.0.0.1:${port}`
  let id = 0
  return {
    rpcUrl,
    async rpc(method, params = []) {
      id += 1
      const { body } = await request(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      })
      const reply = (await body.json()) as { result?: unknown; error?: { message: string } }
      if (reply.error !== undefined) throw new Error(`${method}: ${reply.error.message}`)
      return reply.result
    },
    async stop() {
      child.stdin.end()
      await gone
    },
  }
}
