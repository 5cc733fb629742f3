import { defineAction, z } from '#core/action.ts'
import { explain, fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { readSelect } from './lib/ask-list.ts'
import { select } from './lib/list-fields.ts'
import { readableWork, workObject } from './lib/work-object.ts'

const openAlexId = /^(?:https?:\/\/(?:api\.)?openalex\.org\/(?:works\/)?)?([Ww]\d+)$/
const doi = /^(?:https?:\/\/(?:dx\.|www\.)?doi\.org\/|[Dd][Oo][Ii]:\s*)?(10\.\d{4,9}\/\S+)$/
const either = new RegExp(`${openAlexId.source}|${doi.source}`)

/** The path of a work. OpenAlex expects the slashes of a DOI unencoded. */
function workPath(id: string): string {
  const name = openAlexId.exec(id)?.[1]?.toUpperCase() ?? `doi:${doi.exec(id)?.[1]}`
  return `/works${name
    .split('/')
    .map((part) => path`/${part}`)
    .join('')}`
}

export const work = defineAction('work', {
  summary: 'Look up one scholarly work by its OpenAlex id or DOI.',
  notes:
    'Any usual spelling of a DOI will do: https://doi.org/10.7717/peerj.4375, doi:10.7717/peerj.4375 or 10.7717/peerj.4375. To search by words use ns_scholar/works.',
  synonyms: [
    'doi lookup',
    'paper by doi',
    'article metadata',
    'citation count',
    'abstract',
    'citations of a paper',
  ],
  questions: [
    'what is the abstract of 10.7717/peerj.4375?',
    'how often was this paper cited?',
    'is this article open access?',
  ],
  cacheSeconds: 3_600,
  errors: ['not_found'],
  input: z.strictObject({
    id: z
      .string()
      .trim()
      .max(500)
      .regex(either, 'must be an OpenAlex work id such as W2741809807, or a DOI')
      .describe('OpenAlex id (W2741809807) or DOI (10.7717/peerj.4375).'),
    select,
  }),
  output: workObject.extend({ provider: z.string() }),
  price: { cents: 1 },
  example: { input: { id: 'https://doi.org/10.7717/peerj.4375' }, cents: 1 },
  takes: { DOI: { fills: (id) => ({ id }) } },
  async run({ input, http }) {
    const missing = explain('not_found', `OpenAlex knows no work "${input.id}".`)
    const query = { select: readSelect(input.select) }
    const first = await http
      .send({ method: 'GET', path: workPath(input.id), query, accept: [301, 302, 308] })
      .catch(missing)
    if (first.status === 200) return { provider: 'OpenAlex', ...readableWork(first.body) }
    // Duplicate works are merged, and the old id redirects to the new one.
    const into = /\/(W\d+)(?:\?|$)/i.exec(first.headers.location ?? '')?.[1]
    if (into === undefined) throw fail('upstream_error')
    const body = await http.get(workPath(into), { query }).catch(missing)
    return { provider: 'OpenAlex', ...readableWork(body) }
  },
})
