import { type Action, defineAction, type RunContext, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import type { Picture } from '../browsers/picture.ts'
import type { Renderer } from '../browsers/render.ts'
import { type Attempt, type AttemptParts, attemptRung } from '../ladder/attempt.ts'
import type { ClimbRequest } from '../ladder/ladder.ts'
import type { Rung } from '../ladder/rungs.ts'
import { adviceOn, troubleOfTime } from '../ladder/trouble.ts'
import type { PageRoom } from '../pages/page-room.ts'
import { readUrls } from './intake.ts'
import { toVisit, visitOptions } from './visit-options.ts'

/** As for a page that rung 2 of the ladder reads. Source: spec, "ns_render_a/scrape", which takes pictures too. */
const pictureCents = 1
const provider = 'chromium'
const timeoutMs = 40_000
const pageTimeoutMsMax = 30_000
const side = { min: 240, max: 1_920 } as const

const { wait_for, timeout_ms, mobile, language, country } = visitOptions(pageTimeoutMsMax)

const inputSchema = z.strictObject({
  url: z.string().describe('A web address; a bare host is accepted.'),
  full_page: z
    .boolean()
    .default(false)
    .describe('The whole page, not only the part that a window shows.'),
  format: z.enum(['webp', 'png']).default('webp'),
  width: z
    .int()
    .min(side.min)
    .max(side.max)
    .optional()
    .describe('Of the window, in CSS pixels. Default 1366, and 412 with mobile.'),
  height: z
    .int()
    .min(side.min)
    .max(side.max)
    .optional()
    .describe('Of the window, in CSS pixels. Default 900, and 915 with mobile.'),
  wait_for,
  timeout_ms,
  mobile,
  language,
  country,
  store: z
    .boolean()
    .default(false)
    .describe('Keep the picture as a file of yours, and return its address in place of its bytes.'),
})

const outputSchema = z.object({
  url: z.string().describe('The address as normalised from the input.'),
  final_url: z.string(),
  status_code: z.int().describe('What the server of the page answered with.'),
  title: z.string().nullable(),
  format: z.enum(['webp', 'png']),
  content_type: z.string(),
  width: z.int().describe('Of the picture, in pixels.'),
  height: z.int(),
  bytes: z.int(),
  truncated: z.boolean().describe('The end of a long page is left out.'),
  image_base64: z.string().nullable().describe('Null with store.'),
  file_id: z.string().optional().describe('With store.'),
  get_url: z.string().optional().describe('With store: serves the picture for about an hour.'),
  provider: z.string().describe('The browser that took it.'),
})

interface ScreenshotDependencies extends AttemptParts {
  readonly camera: Renderer
  readonly room: PageRoom
  readonly guard: EgressGuard
  /** What the operator must do before this machine has a browser. */
  readonly browserMissing?: string | undefined
}

export function createScreenshot(dependencies: ScreenshotDependencies): Action {
  const { guard, browserMissing } = dependencies
  return defineAction('screenshot', {
    summary: 'Take a picture of a web page, as PNG or WebP.',
    notes:
      'The picture is in the answer, in base64, or with store a file that files/get finds again. It shows the window or the whole page, as a desktop or a phone. A wall in place of the page is not sold: the call fails and is free. For the text of a page use onescrape.',
    synonyms: ['screenshot', 'page image', 'capture page', 'snapshot', 'thumbnail', 'page preview'],
    questions: [
      'what does this web page look like?',
      'take a screenshot of this site on a phone',
      'show me the whole page as an image',
    ],
    ...(browserMissing !== undefined && { unavailable: browserMissing }),
    errors: ['bad_url', 'onescrape_social', 'onescrape_document', 'all_blocked'],
    input: inputSchema,
    output: outputSchema,
    check: ({ url }) => void readUrls([url], guard),
    price: { cents: pictureCents },
    example: { input: { url: 'https://example.com' }, cents: pictureCents },
    takes: { URL: { place: 5, fills: (url) => ({ url }) } },
    timeoutMs,
    run: (context) => takeScreenshot(context, dependencies),
  })
}

type Input = z.output<typeof inputSchema>
type Screenshot = z.output<typeof outputSchema>

async function takeScreenshot(context: RunContext<Input>, dependencies: ScreenshotDependencies) {
  const { input, caller } = context
  const { room, guard, camera } = dependencies
  const [url = ''] = readUrls([input.url], guard)
  const availability = await camera.availability()
  if (!availability.ok)
    throw fail('provider_not_configured', {
      message: `${availability.reason} Nothing was charged.`,
    })
  const timeout = AbortSignal.timeout(input.timeout_ms ?? pageTimeoutMsMax)
  const signal = AbortSignal.any([context.signal, timeout])
  const places = await room.enter({ owner: caller.accountId, pages: 1, signal })
  const request = { ...context, ...reading, signal, hold: places.hold }
  const found = await shoot(url, { input, request }, dependencies).finally(places.leave)
  context.signal.throwIfAborted()
  if (found.screenshot !== undefined)
    return input.store ? await storePicture(found.screenshot, context) : found.screenshot
  const { trouble = troubleOfTime(url) } = found
  throw fail('all_blocked', {
    message: `${trouble.message} Nothing was charged. ${adviceOn([{ url, trouble }], undefined)}`,
    data: { url, error: trouble.code },
  })
}

async function storePicture(
  shot: Screenshot,
  { files }: Pick<RunContext<Input>, 'files'>,
): Promise<Screenshot> {
  const { fileId } = await files.save({
    name: 'screenshot',
    filename: `${new URL(shot.final_url).hostname}.${shot.format}`,
    mediaType: shot.content_type,
    content: Buffer.from(shot.image_base64 ?? '', 'base64'),
  })
  const get_url = await files.address(fileId)
  return { ...shot, image_base64: null, file_id: fileId, get_url }
}

/** For the verdict and the title; the text is not sold. */
const reading = { format: 'markdown', mainContent: false } as const

/** The screenshot, or why there is none. */
async function shoot(
  url: string,
  { input, request }: { readonly input: Input; readonly request: ClimbRequest },
  { camera, ...parts }: AttemptParts & { readonly camera: Renderer },
) {
  const { full_page: isFullPage, format, width, height } = input
  let picture: Picture | undefined
  const rung: Rung = {
    position: 2,
    provider,
    action: 'screenshot',
    availability: () => camera.availability(),
    async read({ caller, signal, hold }) {
      const owner = caller.accountId
      const wish = { owner, visit: toVisit(input), picture: { format, isFullPage, width, height } }
      const { html, isCut, ...page } = await camera.render(url, { signal, hold, ...wish })
      picture = page.picture
      const truncated = isCut ? 'size' : undefined
      return { ...page, kind: 'html', body: html, rendered: true, truncated }
    },
  }
  const attempt = await attemptRung(rung, url, request, parts)
  const screenshot = picture && describePicture(attempt, { url, format, picture })
  request.record({ ...attempt.hop, ok: screenshot !== undefined })
  return { screenshot, trouble: attempt.trouble }
}

function describePicture(
  attempt: Attempt,
  shot: Pick<Screenshot, 'url' | 'format'> & {
    readonly picture: Picture
  },
): Screenshot | undefined {
  const { outcome } = attempt
  if (outcome === undefined || !isPage(outcome)) return undefined
  const { reply, page } = outcome
  const { picture, format, url } = shot
  const { base64, width, height, isCut } = picture
  return {
    url,
    final_url: reply.finalUrl,
    status_code: reply.status,
    title: page.title,
    format,
    content_type: `image/${format}`,
    width,
    height,
    bytes: Buffer.byteLength(base64, 'base64'),
    truncated: isCut,
    image_base64: base64,
    provider,
  }
}

/** A page with little text may be one of pictures. A wall is not a page, and neither is what came with an error. */
function isPage({ reply, verdict }: NonNullable<Attempt['outcome']>): boolean {
  return verdict.read || (reply.status < 400 && !verdict.flags.includes('blocked'))
}
