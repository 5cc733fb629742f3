import { defineAction, z } from '#core/action.ts'
import { issue } from '../lib/issued-id.ts'
import { taskId } from './result.ts'

export const solve = defineAction('solve', {
  summary: 'Have a captcha solved by people or machines, in the background.',
  notes:
    'Answers with a taskId at once and is billed then. task is the vendor’s createTask object, untouched: type names the kind, such as RecaptchaV2TaskProxyless with websiteURL and websiteKey, or ImageToTextTask with body in base64. Poll ns_captcha/result from five seconds on. To read a page behind a wall rather than pass its form use ns_resi/scrape_residential.',
  synonyms: ['captcha', 'recaptcha', 'turnstile', 'hcaptcha', '2captcha', 'human check'],
  questions: [
    'how do I get past this I am not a robot box?',
    'what letters are in this distorted picture?',
    'my form wants a turnstile token, who gives me one?',
  ],
  pay: ['mpp'],
  input: z.strictObject({
    task: z
      .looseObject({ type: z.string().trim().min(1).max(100) })
      .describe('The task in the shape of the vendor’s createTask, with its type.'),
  }),
  output: z.looseObject({ taskId: z.int().describe('For ns_captcha/result.') }),
  price: { cents: 0.3 },
  example: {
    input: {
      task: {
        type: 'RecaptchaV2TaskProxyless',
        websiteURL: 'https://2captcha.com/demo/recaptcha-v2',
        websiteKey: '6LfD3PIbAAAAAJs_eEHvoOl75_83eXSqpPSRFJ_u',
      },
    },
    cents: 0.3,
  },
  issues: ({ taskId: id }) => issue('task', taskId, id),
  async run({ input, http }) {
    const { taskId: id } = await http.post('/createTask', { task: input.task })
    return { taskId: id }
  },
})
