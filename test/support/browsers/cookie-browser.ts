// What a browser does for pages without a script: keeps cookies, follows redirects of one origin, sends forms, and says
// which origin each request comes from.

export interface Visit {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The address of the answer, or where an answer to another origin leads. */
  readonly url: string
}

export interface CookieBrowser {
  readonly cookies: ReadonlyMap<string, string>
  visit(at: string): Promise<Visit>
  /** Posts the first form of a page, or its first one to the path `form`, with some of its fields filled in. */
  submit(
    page: Visit,
    fields?: Record<string, string>,
    button?: string,
    form?: string,
  ): Promise<Visit>
  /** A request of a script of the gateway's own pages. */
  fetch(method: string, at: string, options?: FetchOptions): Promise<Response>
}

interface FetchOptions {
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** Default: same-origin. */
  readonly site?: 'same-origin' | 'same-site' | 'cross-site' | 'none'
}

const redirectsMax = 10

export function createCookieBrowser(origin: string): CookieBrowser {
  const cookies = new Map<string, string>()

  async function send(at: string, init: RequestInit & { headers?: Record<string, string> }) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(new URL(at, origin), {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(cookie === '' ? {} : { cookie }) },
    })
    for (const set of reply.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return reply
  }

  async function follow(reply: Response, redirects = 0): Promise<Visit> {
    const to = reply.headers.get('location')
    if (to === null || reply.status < 300)
      return {
        status: reply.status,
        headers: reply.headers,
        text: await reply.text(),
        url: reply.url,
      }
    const url = new URL(to, reply.url).href
    await reply.arrayBuffer()
    if (!url.startsWith(origin) || redirects === redirectsMax)
      return { status: reply.status, headers: reply.headers, text: '', url }
    return await follow(await send(url, page('none')), redirects + 1)
  }

  return {
    cookies,
    visit: async (at) => await follow(await send(at, page('none'))),
    async submit(from, fields = {}, button, form = '') {
      const { action, values } = readForm(from.text, button, form)
      return await follow(
        await send(new URL(action, from.url).href, {
          ...page('same-origin', { 'content-type': 'application/x-www-form-urlencoded', origin }),
          method: 'POST',
          body: new URLSearchParams({ ...values, ...fields }).toString(),
        }),
      )
    },
    fetch: (method, at, { headers = {}, body, site = 'same-origin' } = {}) =>
      send(at, {
        method,
        headers: { 'sec-fetch-site': site, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}

const page = (site: string, more: Record<string, string> = {}) => ({
  headers: { accept: 'text/html', 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', ...more },
})

/** The address and the hidden values of a form; `button` is the value of the pressed one. */
function readForm(html: string, button: string | undefined, path: string) {
  const post = /<form[^>]*method="post"[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs
  const forms = [...html.matchAll(post)]
  const [, action, content] = forms.find(([, each = '']) => each.startsWith(path)) ?? []
  if (action === undefined || content === undefined) throw new Error(`No form in: ${html}`)
  const values: Record<string, string> = {}
  for (const [input] of content.matchAll(/<input[^>]*>/g)) {
    const [, name] = /name="([^"]*)"/.exec(input) ?? []
    const [, value = ''] = /value="([^"]*)"/.exec(input) ?? []
    if (name !== undefined) values[name] = readEntities(value)
  }
  const pressed = [...content.matchAll(/<button[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)].find(
    ([, , value]) => value === button,
  )
  if (pressed?.[1] !== undefined && button !== undefined) values[pressed[1]] = button
  return { action: readEntities(action), values }
}

const readEntities = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
