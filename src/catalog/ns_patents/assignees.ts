import { defineAction, z } from '#core/action.ts'
import { applicationObject, page, searchApplications } from './lib/application.ts'

export const assignees = defineAction('assignees', {
  summary: 'List the US patent applications that an organization filed or was assigned.',
  notes:
    'Looks in the names of applicants and of assignees; companies file under several spellings, which names lists as found. Newest first; go on with offset. To search by words of the invention use ns_patents/patents.',
  synonyms: [
    'patent portfolio',
    'patent owner',
    'assignee search',
    'who owns patents',
    'company patents',
  ],
  questions: [
    'which patents does SpaceX hold?',
    'how many applications did this startup file?',
    'who was this patent assigned to?',
  ],
  cacheSeconds: 3_600,
  input: z.strictObject({
    organization: z.string().trim().min(2).max(200).describe('Name of the organization.'),
    ...page,
  }),
  output: z.looseObject({
    total: z.int(),
    names: z.array(z.string()).describe('Spellings of its name among these results.'),
    results: z.array(applicationObject),
  }),
  price: { cents: 1 },
  example: { input: { organization: 'Space Exploration Technologies', limit: 1 }, cents: 1 },
  async run({ input, http }) {
    const { organization, limit, offset } = input
    const name = `"${organization.replaceAll(/["\\]/g, ' ').trim()}"`
    const { total, results } = await searchApplications(http, {
      q: `applicationMetaData.firstApplicantName:${name} OR assignmentBag.assigneeBag.assigneeNameText:${name}`,
      sort: [{ field: 'applicationMetaData.filingDate', order: 'Desc' }],
      pagination: { offset, limit },
    })
    const wanted = organization.toLowerCase()
    const seen = results.flatMap((result) => [...result.applicants, ...result.assignees])
    const names = [...new Set(seen.filter((spelling) => spelling.toLowerCase().includes(wanted)))]
    return { total, names, results }
  },
})
