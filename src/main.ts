import { pino } from 'pino'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { introduce } from './introduce.ts'

try {
  process.loadEnvFile()
} catch {
  // There need not be a .env file.
}

const config = readConfig(process.env)
const log = pino({ level: config.LOG_LEVEL }, pino.destination({ dest: 2, sync: false }))
const app = await createApp({
  config,
  log,
  onFatal(error) {
    log.error({ err: error }, 'The gateway cannot go on.')
    process.exit(1)
  },
})
const baseUrl = await app.listen()
process.stdout.write(await introduce(app, baseUrl))

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second signal is for those who do not want to wait.
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'Stopping: running calls may end first.')
    app.close().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, 'The gateway did not stop cleanly.')
        process.exit(1)
      },
    )
  })
}
