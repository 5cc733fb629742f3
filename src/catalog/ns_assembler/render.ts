import { defineJob, z } from '#core/action.ts'
import { film, intents } from './lib/film.ts'
import { ownedProject, projectId } from './lib/project-id.ts'
import { renderAtVendor } from './lib/vendor-render.ts'

export const render = defineJob('render', {
  summary: 'Render the saved composition of a film project to an MP4 video.',
  notes:
    'Answers with a job_id; poll it for free with the result action. With intent still, one frame is answered at once as a PNG; with output gif, the film is an animated GIF. A preview is smaller and cheaper. The composition is the one that is saved when the work starts. The film is stored in your files and counts against their quota. Save it first with ns_assembler/put_composition; earlier films are in ns_assembler/list_renders.',
  synonyms: ['export mp4', 'make the video', 'produce film', 'encode video', 'render timeline'],
  questions: [
    'turn my composition into an MP4',
    'make a cheap preview of the film first',
    'export the finished video',
  ],
  /** Half an hour for ffmpeg, and time to fetch the media and to store the film. */
  timeoutMs: 40 * 60_000,
  jobsAtOnceMax: 3,
  errors: ['no_scenes'],
  input: z.strictObject({
    project_id: projectId,
    intent: z
      .enum(intents)
      .default('final')
      .describe(
        'A preview has a low resolution. A vendor may end it after a minute. A still is one frame, at once.',
      ),
    output: z
      .enum(['mp4', 'gif'])
      .default('mp4')
      .describe('A GIF has at most 60 seconds, 480 lines and 15 frames a second, and no sound.'),
    at_sec: z.number().min(0).max(900).default(0).describe('Of a still: the time in the film.'),
  }),
  output: film,
  answersInline: ({ intent }) => intent === 'still',
  price: {
    cents: 100,
    variants: [
      { when: { intent: 'preview' }, cents: 25 },
      { when: { intent: 'still' }, cents: 5 },
    ],
  },
  example: { input: { project_id: 'prj_1', intent: 'final' }, cents: 100 },
  owned: ownedProject,
  run: renderAtVendor,
})
