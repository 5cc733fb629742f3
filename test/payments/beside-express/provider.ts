// The gateway's side: the same handler as an action, loaded by TOLLWAY_PROVIDERS.
import { defineAction, defineProvider, z } from 'tollway'
import { askUpstream, deadlineMs } from './handler.ts'

const answer = defineAction('answer', {
  summary: 'Answer what the upstream answers.',
  input: z.strictObject({ text: z.string().default('hello') }),
  output: z.looseObject({ echo: z.string(), serial: z.int() }),
  timeoutMs: deadlineMs,
  price: { cents: 2 },
  example: { input: {}, cents: 2 },
  run: ({ input, signal }) => askUpstream(input.text, signal) as Promise<Answer>,
})

interface Answer {
  readonly echo: string
  readonly serial: number
}

export const beside = defineProvider({ id: 'beside', title: 'Sold twice', actions: [answer] })
