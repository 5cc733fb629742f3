import { defineAction, z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { ownedProject, projectId } from './lib/project-id.ts'

export const getProject = defineAction('get_project', {
  summary: 'Read a film project with its saved composition.',
  notes:
    'Free. The composition is the saved one: clips that ns_assembler/put_composition dropped are not in it. For films that were made use ns_assembler/list_renders.',
  synonyms: ['read composition', 'load the edit', 'project details', 'show timeline', 'saved edit'],
  questions: [
    'what is in my video project?',
    'which clips were saved?',
    'show me the composition of this film',
  ],
  input: z.strictObject({ project_id: projectId }),
  output: z.looseObject({
    id: z.string(),
    name: z.string().nullish(),
    format: z.looseObject({}).nullish(),
    etag: z.string().nullish().describe('Version of the composition, for if_match.'),
    composition: z.looseObject({}).nullish().describe('Null before the first save.'),
  }),
  price: 'free',
  example: { input: { project_id: 'prj_1' }, cents: 0 },
  owned: ownedProject,
  async run({ input, http }) {
    const project = await http.get(path`/projects/${input.project_id}`)
    const composition = await http.get(path`/projects/${input.project_id}/composition`)
    return { ...project, composition }
  },
})
