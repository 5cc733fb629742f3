import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { bodyWith } from './lib/composition-body.ts'
import { exampleComposition } from './lib/example-composition.ts'
import { finding } from './lib/finding.ts'
import { admitMedia } from './lib/own-media.ts'
import { ownedProject, projectId } from './lib/project-id.ts'

export const putComposition = defineAction('put_composition', {
  summary: 'Save the composition of a film project, in place of the earlier one.',
  notes:
    'Clips that cannot be rendered are dropped, and the rest is saved: run ns_assembler/validate first, and fix every error. Media comes from ns_assembler/upload.',
  synonyms: [
    'save edit',
    'update timeline',
    'set clips',
    'edit video',
    'save composition',
    'cut video',
  ],
  questions: [
    'put these photos one after the other with music',
    'save the timeline of my video',
    'replace the clips of the film',
  ],
  makes: ['composition'],
  errors: ['stale_etag'],
  input: bodyWith({
    project_id: projectId,
    if_match: z
      .string()
      .max(100)
      .optional()
      .describe('Save only if this is still the etag of the composition.'),
  }),
  output: z.looseObject({
    project_id: z.string(),
    etag: z.string().nullish().describe('Version of the saved composition.'),
    clips: z.int().nullish().describe('Clips that were saved.'),
    dropped: z.array(finding).nullish().describe('Why clips were dropped.'),
  }),
  price: { cents: 1 },
  example: { input: { project_id: 'prj_1', ...exampleComposition }, cents: 1 },
  owned: ownedProject,
  // Keeps the project the caller's while it is used.
  issues: ({ project_id: id }) => ({ kind: 'project', id }),
  async run({ input, http, issued }) {
    if (input.if_match !== undefined)
      throw fail('bad_request', {
        message: 'This provider saves without if_match: leave it out. Nothing was charged.',
      })
    const { project_id, composition: body } = input
    await admitMedia({ issued }, body)
    await http.send({
      method: 'PUT',
      path: path`/projects/${project_id}/composition`,
      body,
      as: 'text',
    })
    return { project_id }
  },
})
