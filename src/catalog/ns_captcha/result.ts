import { defineAction, z } from '#core/action.ts'

export const taskId = z
  .union([z.int().min(1), z.string().regex(/^[1-9]\d{0,15}$/)])
  .transform(Number)
  .describe('What ns_captcha/solve answered with.')

export const result = defineAction('result', {
  summary: 'See whether a captcha is solved, and read its solution.',
  notes:
    'Poll every five seconds with the taskId that ns_captcha/solve answered with, until status is ready; then solution holds the token or text. Each poll is billed. Tasks of other accounts do not exist for you.',
  synonyms: [
    'captcha token',
    'captcha answer',
    'captcha solved',
    'poll captcha',
    'getTaskResult',
    '2captcha',
  ],
  questions: [
    'is the puzzle that I sent in done yet?',
    'what is the token for the form?',
    'what text did they read in the picture?',
  ],
  pay: ['mpp'],
  input: z.strictObject({ taskId }),
  output: z.looseObject({
    status: z.enum(['processing', 'ready']),
    solution: z.looseObject({}).nullish(),
  }),
  price: { cents: 0.3 },
  example: { input: { taskId: 74372499131 }, cents: 0.3 },
  costUsd: ({ cost }) => (Number(cost) > 0 ? Number(cost) : undefined),
  owned: ({ taskId }) => ({ kind: 'task', id: String(taskId) }),
  async run({ input, http }) {
    const reply = await http.post('/getTaskResult', { taskId: input.taskId })
    const { errorId: _errorId, ip: _ip, ...state } = reply
    return state
  },
})
