// Actions of the test provider that outlive their request.
import { defineJob, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { Gate } from '../gate.ts'

export const echoed = z.looseObject({ echo: z.string() })

/** The state that the actions of one provider share. */
export interface Script extends Pick<Gate, 'wait'> {
  readonly asked: unknown[]
  echo(input: { readonly text: string }): { echo: string }
  /** How often what was asked has been forgotten. */
  resets(): number
}

export const jobs = ({ asked, wait, resets }: Script) => [
  defineJob('job', {
    summary: 'Do some steps, one after the other.',
    input: z.strictObject({
      steps: z.int().min(0).max(20).default(3),
      costs: z.number().default(1),
      ends: z.enum(['well', 'failed', 'crash', 'gate', 'never']).default('well'),
    }),
    output: z.looseObject({ spent_cents: z.number() }),
    price: {
      upToCents: ({ steps, costs }) => steps * costs,
      atMostCents: 100,
      settle: ({ output }) => output.spent_cents,
    },
    example: { input: { steps: 3 }, cents: 3 },
    jobsAtOnceMax: 3,
    async run({ input, checkpoints, save, report, clock, signal }) {
      const begun = resets()
      for (let step = 0; step < input.steps; step += 1) {
        await report({ phase: 'stepping', done: step, total: input.steps })
        if (checkpoints.has(String(step))) continue
        asked.push(step)
        await save(String(step), { done: true })
      }
      if (input.ends === 'gate') await wait()
      while (input.ends === 'never') {
        await report({ phase: 'waiting', done: 0, total: 1 })
        await clock.sleep(10, signal).catch((reason) => {
          // A job of an earlier test may end during this one.
          if (resets() === begun) asked.push('stopped')
          throw reason
        })
      }
      if (input.ends === 'crash') throw new Error('the job crashed')
      if (input.ends === 'failed') throw fail('all_blocked', { data: { rows: [] } })
      return { spent_cents: input.steps * input.costs - 0.5 }
    },
  }),
  defineJob('either', {
    summary: 'Answer at once or later, as the input says.',
    input: z.strictObject({ cents: z.number().default(2), later: z.boolean().default(false) }),
    output: echoed,
    answersInline: ({ later }) => !later,
    costUsd: (_output, { cents }) => cents / 1_000,
    price: { centsFor: ({ cents }) => cents, fromCents: 1, atMostCents: 50, basis: 'as asked' },
    example: { input: {}, cents: 2 },
    async run({ input, jobId, checkpoints, save, later }) {
      if (jobId === '') return { echo: 'at once' }
      if (checkpoints.has('asked')) return { echo: 'later' }
      asked.push(input)
      await save('asked', true)
      return later(1)
    },
  }),
  defineJob('stepwise', {
    summary: 'Have another action do two steps of the work.',
    input: z.strictObject({}),
    output: z.looseObject({ echoes: z.array(z.string()) }),
    price: { cents: 5 },
    example: { input: {}, cents: 5 },
    run: async ({ call }) => ({
      echoes: [
        (await call('test/either', { cents: 1 }, 'first')).echo,
        (await call('test/either', { cents: 2 }, 'second')).echo,
      ],
    }),
  }),
]
