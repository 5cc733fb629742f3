import { defineAction, z } from '#core/action.ts'
import type { PaidMinutes } from '#core/session.ts'
import { buySession } from './lib/paid-endpoint.ts'
import { estimatedMinutes, minutesPrice, sessionFields } from './lib/session-fields.ts'
import { openAtVendor } from './lib/vendor.ts'

export const createSession = (minutes: PaidMinutes) =>
  defineAction('create_session', {
    summary: 'Open a browser in the cloud and get a WebSocket address to drive it.',
    notes:
      'Pass connectUrl to connectOverCDP of Playwright or to puppeteer.connect. Open a short session and extend it with ns_browser/extend_session before the minutes end. To read one page, scraping/scrape is simpler.',
    synonyms: [
      'headless browser',
      'remote chrome',
      'playwright',
      'puppeteer',
      'browser automation',
      'browserbase',
    ],
    questions: [
      'run my playwright script in a hosted browser',
      'click through a website and fill in a form',
      'open a remote chrome that I can control',
    ],
    makes: ['browser'],
    input: z.strictObject({
      estimatedMinutes,
      keepAlive: z
        .boolean()
        .optional()
        .describe(
          'true: the browser keeps its pages while no client is connected. Default false: the session ends soon after its last client has left.',
        ),
      proxies: z
        .strictObject({
          country: z
            .string()
            .trim()
            .toUpperCase()
            .regex(/^[A-Z]{2}$/, 'must be a country code of two letters such as DE')
            .describe('Pages are opened from this country: DE, US.'),
        })
        .optional()
        .describe('Without it, pages are opened from where the browser runs.'),
      recording: z
        .boolean()
        .optional()
        .describe(
          'true: a video of what the browser shows, at most two pictures a second for the first hour, is stored as a file of yours when the session has ended. It counts against your quota of files, which needs 50 MB of room, and stays until you delete it. Default false.',
        ),
    }),
    output: z.looseObject({
      ...sessionFields,
      connectUrl: z
        .string()
        .describe('WebSocket of the Chrome DevTools Protocol. It is a credential: keep it secret.'),
      liveViewUrl: z.string().nullish().describe('A page to look on. It cannot control anything.'),
    }),
    price: minutesPrice,
    example: { input: { estimatedMinutes: 10 }, cents: 2 },
    issues: ({ sessionId: id }) => ({ kind: 'session', id }),
    run: (context) =>
      context.http.atPaidEndpoint ? buySession(context) : openAtVendor(context, minutes),
  })
