import { defineProvider } from '#core/provider.ts'
import { createProject } from './create_project.ts'
import { getProject } from './get_project.ts'
import { listRenders } from './list_renders.ts'
import { mediaStatus } from './media_status.ts'
import { putComposition } from './put_composition.ts'
import { render } from './render.ts'
import { upload } from './upload.ts'
import { validate } from './validate.ts'

export const assembler = defineProvider({
  id: 'ns_assembler',
  title: 'CueFrame',
  docs: 'https://docs.cueframe.ai/docs/api',
  upstream: {
    baseUrl: 'https://api.cueframe.ai/v1',
    credential: {
      aliases: ['CUEFRAME_API_KEY'],
      attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
    },
  },
  actions: [
    upload,
    mediaStatus,
    createProject,
    getProject,
    putComposition,
    validate,
    render,
    listRenders,
  ],
})
