import { defineAction, z } from '#core/action.ts'
import { explain } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { listPrice, recordFields, tellPaid } from '../lib/bought.ts'
import { describeStudy, studyObject } from './lib/study.ts'

export const get = defineAction('get', {
  summary:
    'Get the record of one clinical study: design, eligibility, outcomes, locations and results.',
  notes:
    'Takes the NCT number, which is the id of a result of ns_trials/search. record holds the whole protocol under the registry’s own names, and results where they were posted. For papers on the study use ns_scholar/works.',
  synonyms: [
    'trial record',
    'nct number',
    'eligibility criteria',
    'study locations',
    'trial results',
  ],
  questions: [
    'who may take part in NCT04280705?',
    'where does this trial recruit?',
    'what were the outcomes of this study?',
  ],
  pay: ['mpp'],
  cacheSeconds: 3_600,
  errors: ['not_found'],
  input: z.strictObject({
    id: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^NCT\d{8}$/, 'must be an NCT number, as in NCT04280705')
      .describe('NCT number: NCT04280705.'),
  }),
  output: studyObject.extend({ ...recordFields, results: z.looseObject({}).nullable() }),
  price: listPrice(2.5),
  example: { input: { id: 'NCT04280705' }, cents: 2.5 },
  takes: { 'NCT number': { fills: (id) => ({ id }) } },
  run: tellPaid(async ({ input, http }) => {
    const study = await http
      .get(path`/studies/${input.id}`)
      .catch(explain('not_found', `ClinicalTrials.gov has no study ${input.id}.`))
    return {
      provider: 'ClinicalTrials.gov',
      ...describeStudy(study),
      record: study.protocolSection,
      results: study.resultsSection ?? null,
    }
  }),
})
