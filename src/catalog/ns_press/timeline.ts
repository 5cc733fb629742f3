import { defineAction, pick, z } from '#core/action.ts'
import { mapRows } from '#core/rows.ts'
import { askGdelt } from './lib/answer.ts'
import { isOnePeriod, newsQuery, onePeriod } from './lib/period.ts'

interface Series {
  readonly series?: string
  readonly data?: readonly { readonly date: string; readonly value: number }[]
}

export const timeline = defineAction('timeline', {
  summary: 'Get how much, or in what tone, the world’s news wrote about something, over time.',
  notes:
    'Mode timelinevol is the share of all monitored coverage, in percent; mode timelinetone is the average tone, negative below zero. The same query as in ns_press/news, which lists the articles themselves. The provider takes one question in five seconds. For what people search for, not what is written, use ns_trends/fetch.',
  synonyms: [
    'news volume',
    'media attention',
    'sentiment over time',
    'coverage trend',
    'tone',
    'mood of the media',
    'tone of coverage',
  ],
  saidAs: { mode: { timelinetone: ['tone', 'sentiment', 'stimmung', 'tonalité'] } },
  questions: [
    'when did the press lose interest in this story?',
    'has coverage of our company become more negative?',
    'how much was written about the drought each day?',
  ],
  cacheSeconds: 900,
  input: z
    .strictObject({
      mode: z
        .enum(['timelinevol', 'timelinetone'])
        .default('timelinevol')
        .describe('timelinevol: share of coverage. timelinetone: average tone.'),
      ...newsQuery,
    })
    .refine(isOnePeriod, onePeriod),
  output: z.looseObject({
    provider: z.string(),
    mode: z.string(),
    timeline: z.array(
      z.looseObject({
        series: z.string(),
        data: z.array(z.looseObject({ date: z.string(), value: z.number() })),
      }),
    ),
  }),
  price: { cents: 1 },
  example: { input: { mode: 'timelinetone', query: 'drought', timespan: '2w' }, cents: 1 },
  async run({ input, http }) {
    const period = pick(input, 'timespan', 'startdatetime', 'enddatetime')
    const { query, mode } = input
    const asked = { query, mode, ...period }
    const { timeline: lines = [] } = await askGdelt<{ timeline: Series[] }>(http, asked)
    return {
      provider: 'GDELT',
      mode,
      timeline: mapRows(lines, ({ series = '', data = [] }) => ({ series, data })),
    }
  },
})
