// Ctrl-C, pressed once, while a gateway is silent.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '#platform/http/port.ts'
import { emptyFolder, runCommand } from './run-command.ts'

const program = path.resolve(import.meta.dirname, '../../../clients/command/main.ts')
const jobId = '0198e6a4-7d1c-7cc3-9f0e-1c0b3f1f2a11'

const answers: Readonly<Record<string, unknown>> = {
  'GET /api/run/test/job': { service: 'test', action: 'job', input_schema: { properties: {} } },
  'POST /api/run/test/job': { ok: true, data: { job_id: jobId, async: true }, charged_cents: 0 },
  'GET /api/v1/transactions': { transactions: [], next_cursor: null },
}

/** A gateway that never answers `silent`, and says when it was asked. */
async function silentGateway(silent: RegExp) {
  const asked = Promise.withResolvers<void>()
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const route = `${request.method} ${request.url?.replace(/\?.*/, '')}`
    request.resume()
    if (silent.test(route)) return asked.resolve()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers[route] ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const port = portOf(server)
  return { url: `http://127.0.0.1:${port}`, asked: asked.promise }
}

test.for([
  ['balance', /account/],
  ['keys', /keys/],
  ['quote test/job', /GET .*test\/job/],
  ['run test/job', /GET .*test\/job/],
  ['run test/job', /POST .*test\/job/],
  [`job ${jobId}`, /result/],
  [`job ${jobId} --cancel`, /cancel/],
  ['logs --follow', /transactions/],
] as const)('one press ends `tollway %s` of a silent gateway with 130', async ([words, silent]) => {
  const gateway = await silentGateway(silent)
  const started = spawn(process.execPath, [program, ...words.split(' ')], {
    env: { HOME: await emptyFolder(), TOLLWAY_URL: gateway.url, TOLLWAY_KEY: 'tw_live_any' },
  })
  onTestFinished(() => void started.kill('SIGKILL'))
  let noted = ''
  started.stderr.on('data', (text) => {
    noted += text
  })
  await gateway.asked
  started.kill('SIGINT')
  expect(await once(started, 'close')).toEqual([130, null])
  expect(noted).toBe('Interrupted.\n')
})

test('a job whose gateway does not answer is named, so that it can be cancelled later', async () => {
  const gateway = await silentGateway(/result|cancel/)
  const interruption = new AbortController()
  const ended = runCommand(['run', 'test/job'], {
    environment: { TOLLWAY_URL: gateway.url, TOLLWAY_KEY: 'tw_live_any' },
    signal: interruption.signal,
  })
  await gateway.asked
  interruption.abort()
  const { code, stderr } = await ended
  expect(code).toBe(130)
  expect(stderr).toContain(`\`tollway job ${jobId} --cancel\``)
})

test('logs that are followed end at one press between two looks', async () => {
  const gateway = await silentGateway(/^$/)
  const interruption = new AbortController()
  const ended = runCommand(['logs', '--follow'], {
    environment: { TOLLWAY_URL: gateway.url, TOLLWAY_KEY: 'tw_live_any' },
    signal: interruption.signal,
  })
  interruption.abort()
  expect(await ended).toMatchObject({ code: 130, stderr: 'Interrupted.\n' })
})
