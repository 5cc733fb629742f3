import { defineAction, pick, z } from '#core/action.ts'
import { issue } from '../lib/issued-id.ts'
import { filmFormat } from './lib/film-format.ts'
import { projectId, withoutSlash } from './lib/project-id.ts'

export const createProject = defineAction('create_project', {
  summary: 'Create a film project to save compositions in and to render.',
  notes:
    'Go on with ns_assembler/put_composition and ns_assembler/render. A project is forgotten 30 days after its composition was last saved.',
  synonyms: ['new video', 'start a film', 'video project', 'new edit', 'movie maker', 'timeline'],
  questions: [
    'start a new video edit',
    'make a vertical video for social media',
    'create a slideshow film from photos',
  ],
  makes: ['film_project'],
  input: z.looseObject({
    name: z.string().min(1).max(200).describe('What the project is called.'),
    format: filmFormat.prefault({}).describe('Shape, frame rate and resolution of the film.'),
    brandKitId: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Colours and fonts that the vendor keeps. Only the vendor has brand kits.'),
  }),
  output: z.looseObject({ id: z.string().describe('The project_id.') }),
  price: { cents: 1 },
  example: {
    input: { name: 'Holiday', format: { aspectRatio: '16:9', fps: 30, resolution: 'hd' } },
    cents: 1,
  },
  issues: ({ id }) => issue('project', withoutSlash(projectId), id),
  run: ({ input, http }) => http.post('/projects', pick(input, 'name', 'format', 'brandKitId')),
})
