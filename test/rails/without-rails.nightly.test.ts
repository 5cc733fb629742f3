// The code of chains takes 33 MB of memory, so it is loaded only where a rail is on.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { sourcesProgram, startGatewayProcess } from '../simulation/gateway-process.ts'

const ofChains = /\/node_modules\/(viem|ox|mppx|@x402\/[^/]+|@noble\/[^/]+|secp256k1)\//

/** The packages of chains that a gateway with these settings has loaded once it listens. */
async function loadedWith(settings: Record<string, string>): Promise<readonly string[]> {
  const folder = await makeDataDirectory()
  onTestFinished(() => removeDataDirectory(folder))
  const [recorder, list] = [path.join(folder, 'recorder.mjs'), path.join(folder, 'loaded')]
  await writeFile(
    recorder,
    `import { appendFileSync } from 'node:fs'
     import { registerHooks } from 'node:module'
     registerHooks({
       load(url, context, nextLoad) {
         appendFileSync(${JSON.stringify(list)}, url + '\\n')
         return nextLoad(url, context)
       },
     })`,
  )
  const env = { NODE_OPTIONS: `--import ${recorder}`, ...settings }
  const gateway = startGatewayProcess(path.join(folder, 'data'), env, sourcesProgram)
  onTestFinished(() => gateway.kill())
  const url = await gateway.listening
  expect((await fetch(`${url}/api/run`)).status).toBe(200)
  const loaded = (await readFile(list, 'utf8')).split('\n')
  expect(loaded.some((file) => file.endsWith('/src/app.ts'))).toBe(true)
  return [...new Set(loaded.flatMap((file) => ofChains.exec(file)?.[1] ?? []))].sort()
}

test('a gateway without rails loads no code of chains', async () => {
  expect(await loadedWith({})).toEqual([])
})

test('a gateway with a rail loads it', async () => {
  const settings = { X402_RPC_URL: 'http://127.0.0.1:9', X402_PAY_TO: `0x${'1'.repeat(40)}` }
  expect(await loadedWith(settings)).toContain('viem')
})
