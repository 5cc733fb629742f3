// A gateway in its own process that sells the test provider, so that a test can kill it at any point. It tells its
// parent its address and the requests to its provider. The parent tells it when waiting calls may end.
import { flushCompileCache } from 'node:module'
import { pino } from 'pino'
import { createTestProvider } from '#test/test-provider.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'

const provider = createTestProvider()
const { asked } = provider
asked.push = (...inputs) => {
  for (const input of inputs) process.send?.({ asked: input })
  return Array.prototype.push.apply(asked, inputs)
}
let holds = 0
process.on('message', (message) => {
  if (message === 'release') provider.release()
  else void hold()
})
// A dead parent could no longer end it.
process.on('disconnect', () => process.exit(0))

const app = await createApp({
  config: readConfig(process.env),
  log: pino({ level: 'debug' }, pino.destination({ dest: 2, sync: true })),
  plugins: [{ id: 'test', providers: [provider.definition] }],
})
// It is killed, so it must keep its compiled code itself.
flushCompileCache()
process.send?.({ url: await app.listen() })
void hold()

/** Calls of `test/slow` wait from now on, and the parent is told of each. */
async function hold() {
  holds += 1
  const current = holds
  provider.reset()
  for (let waiting = 0; current === holds; waiting += 1) {
    await provider.waiting(waiting)
    if (current === holds) process.send?.({ waiting })
  }
}
