import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { atLeastOne, domainName } from '../lib/person-fields.ts'

const question = z.string().trim().min(1).max(1_000).optional()
const stage = z
  .looseObject({ qualified: z.boolean().nullish(), answer: z.string().nullish() })
  .nullish()

export const deepResearch = defineAction('deep-research', {
  summary:
    'Answer a yes-or-no question about one company, with the postings or people that prove it.',
  notes:
    'The activity_question is answered from recent job postings, qualifier_question from who works there. Takes up to two minutes. Not sure of the domain? ns_company/lookup-companies is free. For a long report on any topic use ns_par/task; for topics without a question ns_jobs/buying-intents.',
  synonyms: [
    'qualify an account',
    'company research',
    'account qualification',
    'does the company have',
    'lead scoring',
    'openfunnel',
  ],
  questions: [
    'is usepylon.com hiring more than five SDRs?',
    'does this company have a head of security?',
    'are they building an AI support team, with evidence?',
  ],
  timeoutMs: 130_000,
  input: z
    .strictObject({
      domain: domainName.describe('Domain of the company.'),
      activity_question: question.describe('Asked of its recent job postings.'),
      qualifier_question: question.describe('Asked of the people who work there.'),
    })
    .refine(atLeastOne('activity_question', 'qualifier_question'), {
      message: 'Send activity_question, qualifier_question or both',
    }),
  output: z.looseObject({ domain: z.string().nullish(), activity: stage, qualifier: stage }),
  price: { cents: 20 },
  example: {
    input: {
      domain: 'usepylon.com',
      qualifier_question: 'Has at least 5 SDRs and a Sales Director',
    },
    cents: 20,
  },
  async run({ input, http }) {
    const answer = await http.post('/api/v2/research/deep', input)
    if (answer?.activity == null && answer?.qualifier == null) throw fail('upstream_error')
    return answer
  },
})
