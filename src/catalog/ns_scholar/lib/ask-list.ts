import { fail } from '#core/errors.ts'
import type { ProviderHttp, QueryValue } from '#core/ports.ts'
import { type ListQuestion, resultsMax } from './list-fields.ts'

/** The fields to request: those of every answer, and the index from which an abstract is built. */
export function readSelect(
  list: string | undefined,
  always: readonly string[] = ['id'],
): QueryValue {
  if (list === undefined) return undefined
  const names = list.split(',').map((name) => name.trim())
  const fields = names.map((name) => (name === 'abstract' ? 'abstract_inverted_index' : name))
  return [...new Set([...always, ...fields])].join(',')
}

/** Asks for one page of a list. */
export async function askList(
  http: ProviderHttp,
  path: string,
  question: ListQuestion,
  always?: readonly string[],
) {
  const { search, filter, per_page, page, cursor, sort } = question
  const { status, body } = await http.send({
    method: 'GET',
    path,
    query: {
      search,
      filter,
      'per-page': per_page,
      page: cursor === undefined && page > 1 ? page : undefined,
      cursor,
      sort,
      select: readSelect(question.select, always),
    },
    accept: cursor === undefined ? [] : [401],
  })
  if (status === 401) {
    throw fail('bad_request', {
      message:
        'OpenAlex takes no cursor from this gateway, which has no key for it. Send page instead.',
    })
  }
  const { meta, results = [] } = body ?? {}
  const isMore = page * per_page < (meta?.count ?? 0) && (page + 1) * per_page <= resultsMax
  return {
    provider: 'OpenAlex',
    count: meta?.count,
    page: cursor === undefined ? page : null,
    next_page: cursor === undefined && isMore ? page + 1 : null,
    next_cursor: (results.length > 0 ? meta?.next_cursor : null) ?? null,
    results,
  }
}
