import { defineAction, z } from '#core/action.ts'
import { bodyWith } from './lib/composition-body.ts'
import { exampleComposition } from './lib/example-composition.ts'
import { finding } from './lib/finding.ts'
import { admitMedia } from './lib/own-media.ts'

export const validate = defineAction('validate', {
  summary: 'Check a film composition without saving or rendering it.',
  notes:
    'Each error names what a render would leave out and how to fix it. Fix them until valid is true, then save with ns_assembler/put_composition.',
  synonyms: ['check composition', 'lint timeline', 'dry run', 'verify edit', 'test the video'],
  questions: [
    'will this timeline render?',
    'what is wrong with my composition?',
    'why is a clip missing from the film?',
  ],
  input: bodyWith({}),
  output: z.looseObject({ valid: z.boolean(), errors: z.array(finding) }),
  price: { cents: 1 },
  example: { input: exampleComposition, cents: 1 },
  async run({ input, http, issued }) {
    await admitMedia({ issued }, input.composition)
    return await http.post('/composition/validate', input.composition)
  },
})
