// A gateway with a provider of your own. Run `npx node examples/private-provider.ts`, then call my/greet.
import { pino } from 'pino'
import { defineAction, z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { introduce } from '../src/introduce.ts'

const greet = defineAction('greet', {
  summary: 'Greet a person by name.',
  input: z.strictObject({ name: z.string().min(1).max(100) }),
  output: z.looseObject({ greeting: z.string(), provider: z.string() }),
  price: { cents: 0.5 },
  example: { input: { name: 'Ada' }, cents: 0.5 },
  run: ({ input }) => ({ greeting: `Hello, ${input.name}.`, provider: 'my' }),
})

const my = defineProvider({ id: 'my', title: 'My own service', actions: [greet] })

const config = readConfig(process.env)
const app = await createApp({
  config,
  log: pino({ level: 'warn' }),
  privateProviders: [my],
})
const baseUrl = await app.listen()
process.stdout.write(
  await introduce(app, { config, baseUrl, isTerminal: process.stdout.isTTY === true }),
)
