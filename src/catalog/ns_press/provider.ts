import { defineProvider } from '#core/provider.ts'
import { news } from './news.ts'
import { timeline } from './timeline.ts'

export const press = defineProvider({
  id: 'ns_press',
  title: 'GDELT',
  docs: 'https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/',
  upstream: {
    baseUrl: 'https://api.gdeltproject.org',
    pacing: [{ requests: 1, windowMs: 5_000 }],
    // Failures are sentences of plain text, most of them with status 200.
    failure({ body }) {
      if (typeof body !== 'string' || /^\s*[{[]/.test(body)) return undefined
      if (/limit requests|too many requests/i.test(body))
        return { code: 'rate_limited', retryAfterSeconds: 5 }
      if (
        /too short|too long|too common|phrase|keyword|query|search|timespan|date|parenthes|operator/i.test(
          body,
        )
      )
        return {
          code: 'bad_request',
          message:
            'GDELT refused this query. Words need three letters and must not be too common, OR belongs in parentheses, and dates lie in what it covers.',
        }
      return undefined
    },
  },
  actions: [news, timeline],
})
