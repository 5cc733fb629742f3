import { defineAction, z } from '#core/action.ts'
import { endpoints, requestId } from './lib/request.ts'

export const result = defineAction('result', {
  summary: 'Read the result of an order of ns_enrich, for free.',
  notes:
    'Send the endpoint and request_id that ns_enrich/person-enrich, ns_enrich/company-funders or ns_enrich/person-interactions answered with. Poll about every 5 seconds until status is completed, then read result; failed is final too. Ordering again to look is a new order.',
  synonyms: ['poll enrichment', 'enrichment status', 'request id', 'nyne', 'get dossier'],
  questions: [
    'is my enrichment request done?',
    'read the result for this request_id',
    'status of the person enrichment I ordered',
  ],
  people: true,
  input: z.strictObject({
    endpoint: z
      .string()
      .transform((text) => text.replace(/^\//, ''))
      .pipe(z.enum(endpoints))
      .describe('As the submission answered: person/enrichment, for example.'),
    request_id: requestId,
  }),
  output: z.looseObject({
    request_id: z.string(),
    status: z.string().describe('completed and failed are final.'),
    completed: z.boolean().nullish(),
    result: z.unknown().optional().describe('Present when completed.'),
  }),
  price: 'free',
  example: { input: { endpoint: 'person/enrichment', request_id: 'req_0123456789' }, cents: 0 },
  owned: ({ endpoint, request_id }) => ({ kind: endpoint, id: request_id }),
  async run({ input: { endpoint, request_id }, http }) {
    const { data } = await http.get(`/${endpoint}`, { query: { request_id } })
    return { request_id, ...data }
  },
})
