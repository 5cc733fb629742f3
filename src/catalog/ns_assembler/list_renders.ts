import { defineAction, z } from '#core/action.ts'
import { path } from '#core/path.ts'
import { film, readFilm } from './lib/film.ts'
import { ownedProject, projectId } from './lib/project-id.ts'

/** Each is a request to the vendor. */
const rendersMax = 20

export const listRenders = defineAction('list_renders', {
  summary: 'List the renders of a film project, the newest first.',
  notes:
    'Free. Shows the last 20 renders with their links. A render in progress is polled with the result action by the job_id that ns_assembler/render answered.',
  synonyms: [
    'my films',
    'earlier exports',
    'download film again',
    'render history',
    'finished videos',
  ],
  questions: [
    'where is the film that I rendered yesterday?',
    'which versions of the video did I export?',
    'get the download link of the film again',
  ],
  input: z.strictObject({ project_id: projectId }),
  output: z.looseObject({ renders: z.array(film) }),
  price: 'free',
  example: { input: { project_id: 'prj_1' }, cents: 0 },
  owned: ownedProject,
  async run({ input, http, issued }) {
    const { project_id } = input
    const own = (await issued('render')).map((id) => id.split('/'))
    const ids = own.flatMap(([project, id = '']) => (project === project_id ? [id] : []))
    const renders = ids.slice(0, rendersMax).map(async (id) => {
      const seen = await http.get(path`/projects/${project_id}/renders/${id}`)
      return readFilm(seen, project_id)
    })
    return { renders: await Promise.all(renders) }
  },
})
