import { fail } from '#core/errors.ts'
import type { HttpReply, ProviderHttp } from '#core/ports.ts'

/** Counts the redirect to the nearest capture and the archived redirects of the page itself. */
const redirectsMax = 6
const redirects = [301, 302, 303, 307, 308]
/** The status of the archive for a missing capture. */
const missing = 404

/** Whether the reply is a capture, with the page's status at that time, rather than an error of the archive. */
export const isMemento = (headers: HttpReply['headers']) =>
  headers['memento-datetime'] !== undefined

const place = /\/web\/(\d{14})(?:[a-z]{2}_)?\/(.+)$/

/** The capture of a page that is nearest to a moment. Throws `not_found`. */
export async function follow(http: ProviderHttp, asked: string, page: string) {
  let moment = asked
  let url = page
  for (let hop = 0; hop <= redirectsMax; hop += 1) {
    const reply: HttpReply = await http.send({
      method: 'GET',
      path: `/web/${moment}id_/${url}`,
      host: { host: 'web.archive.org' },
      as: 'text',
      accept: [...redirects, missing],
    })
    if (!redirects.includes(reply.status)) {
      if (reply.status === missing && !isMemento(reply.headers)) throw notArchived(page)
      return { reply, moment, url }
    }
    const [, toMoment, toUrl] = place.exec(reply.headers.location ?? '') ?? []
    if (toMoment === undefined || toUrl === undefined) throw notArchived(page)
    moment = toMoment
    url = toUrl
  }
  throw fail('not_found', { message: `The captures of ${page} redirect in a circle.` })
}

const notArchived = (page: string) =>
  fail('not_found', { message: `The archive has no capture of ${page}. Nothing was charged.` })

/** The moments of the first, previous and next captures, from the Link header of a memento. Source: RFC 7089. */
export function readMementoLinks(header = '') {
  const moments = new Map<string, string>()
  for (const [, url = '', parameters = ''] of header.matchAll(
    /<([^>]+)>((?:\s*;\s*[\w-]+="[^"]*")*)/g,
  )) {
    const rel = /\brel="([^"]*)"/.exec(parameters)?.[1] ?? ''
    const moment = /\/web\/(\d{14})/.exec(url)?.[1]
    if (moment === undefined) continue
    for (const name of rel.split(' ')) moments.set(name, moment)
  }
  return {
    first: moments.get('first') ?? null,
    prev: moments.get('prev') ?? null,
    next: moments.get('next') ?? null,
  }
}
