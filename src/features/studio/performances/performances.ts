// `performance/generate` and `lead/generate`: films of the operator in which performers are replaced by people on
// photos.
import { type Action, defineJob, type JobContext, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import type { FixedPrice } from '#core/price.ts'
import { defineProvider, type Provider } from '#core/provider.ts'
import type { SettingValues } from '#core/settings.ts'
import { FetchFailure } from '#platform/egress/failure.ts'
import { createEgressFetcher } from '#platform/egress/fetcher.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { createEgressUploader } from '#platform/egress/uploader.ts'
import type { Sandbox } from '#platform/sandbox/sandbox.ts'
import type { OpenClip } from './compose.ts'
import { clipBytesMax, downloadTimeoutMs, tryTimeoutMs } from './limits.ts'
import { type Production, secondsOf } from './manifest.ts'
import { type ProductionDependencies, produceFilm } from './produce.ts'
import type { Recipes } from './recipes.ts'
import type { performanceSettings } from './settings.ts'
import {
  leadInput,
  performanceInput,
  photosOfLead,
  photosOfPerformance,
  type Wish,
  wishOfLead,
  wishOfPerformance,
} from './wish.ts'

export interface Performances {
  /** The namespaces `performance` and `lead`. */
  readonly providers: readonly Provider[]
  close(): Promise<void>
}

interface Dependencies {
  readonly recipes: Recipes
  readonly sandbox: Sandbox
  readonly guard: EgressGuard
  readonly settings: SettingValues<Omit<typeof performanceSettings, 'PERFORMANCES_DIR'>>
  readonly log: Log
}

const output = z.object({
  file_id: z.string().describe('The film, among your files.'),
  get_url: z.string().describe('Serves the film for about an hour; files/get gives a new address.'),
  filename: z.string(),
  mime: z.string(),
  size: z.int().describe('In bytes.'),
  variant: z.string(),
  duration_seconds: z.number(),
})

export function createPerformances(dependencies: Dependencies): Performances {
  const { guard, sandbox, settings } = dependencies
  const uploader = createEgressUploader({ guard })
  const fetcher = createEgressFetcher({ guard })
  const openClip: OpenClip = async (url, signal) => {
    const limits = { bytesMax: clipBytesMax, timeoutMs: downloadTimeoutMs }
    const { status, body } = await fetcher.stream({ url, signal, ...limits })
    if (status !== 200) throw new FetchFailure('connection', `A clip was answered with ${status}.`)
    return body
  }
  const makers = { sandbox, uploader, openClip }
  const offer = (id: Production, title: string, action: Action) =>
    defineProvider({ id, title, through: ['ns_media'], throughVendors: true, actions: [action] })
  return {
    providers: [
      offer(
        'performance',
        'Lobby performance',
        createPerformance(createMaker(dependencies, makers, 'performance'), {
          cents: settings.PERFORMANCE_STANDARD_CENTS,
          extendedCents: settings.PERFORMANCE_EXTENDED_CENTS,
        }),
      ),
      offer(
        'lead',
        'Lead performer',
        createLead(createMaker(dependencies, makers, 'lead'), {
          cents: settings.LEAD_STANDARD_CENTS,
          extendedCents: settings.LEAD_EXTENDED_CENTS,
        }),
      ),
    ],
    async close() {
      await Promise.all([uploader.close(), fetcher.close()])
    },
  }
}

/** What both actions share. */
interface Maker {
  readonly unavailable: string | undefined
  check(wish: Pick<Wish, 'variant'>): void
  make(context: JobContext<unknown>, wish: Wish): Promise<z.input<typeof output>>
}

function createMaker(
  { recipes, log }: Pick<Dependencies, 'recipes' | 'log'>,
  makers: ProductionDependencies,
  production: Production,
): Maker {
  const recipe = recipes[production]
  const filmOf = (variant: Wish['variant']) => {
    const film = 'reason' in recipe ? undefined : recipe.films.get(variant)
    if (film !== undefined) return film
    throw fail('provider_not_configured', {
      message: `This gateway has no film of the variant ${variant}. Nothing was charged; ask for another variant.`,
    })
  }
  return {
    unavailable: 'reason' in recipe ? recipe.reason : undefined,
    check: ({ variant }) => void filmOf(variant),
    async make(context, wish) {
      const film = filmOf(wish.variant)
      if ('reason' in recipe) throw fail('provider_not_configured', { message: recipe.reason })
      const { jobId, caller, files } = context
      const performers = wish.performers.map(({ slot, photos }) => ({ slot, photos }))
      const consented = { job: jobId, account: caller.accountId, performers }
      log.info(
        consented,
        'Photos of people are used in a film; the caller has stated their consent.',
      )
      const stored = await produceFilm(makers, context, {
        recipe,
        film,
        wish,
        filename: production,
      })
      return {
        file_id: stored.fileId,
        get_url: await files.address(stored.fileId),
        filename: stored.filename,
        mime: stored.mediaType,
        size: stored.bytes,
        variant: wish.variant,
        duration_seconds: secondsOf[wish.variant],
      }
    },
  }
}

interface Prices {
  readonly cents: number
  readonly extendedCents: number
}

const priceOf = ({ cents, extendedCents }: Prices): FixedPrice<unknown> => ({
  cents,
  variants: [{ when: { variant: 'extended' }, cents: extendedCents }],
  ceilingRequired: true,
})

/** Source of the statuses of their answers: spec, "Media jobs". */
const terms = {
  pay: ['mpp'],
  paidTopUpRequired: true,
  timeoutMs: tryTimeoutMs,
  errors: ['content_policy_violation'],
} as const
const photoId = '01970000-0000-7000-8000-000000000000'
const notes =
  'Store the photos with files/upload first, from the same account or wallet. The job takes some minutes; poll it with result, or a wallet its status_url. Send an Idempotency-Key and max_cost_cents. You supply no video. A failed job is free, and a wallet’s payment for it is refunded. Every person on the photos must be an adult who agrees.'

function createPerformance({ unavailable, check, make }: Maker, prices: Prices): Action {
  return defineJob('generate', {
    summary: 'Put one or two people from photos into a lobby performance video.',
    notes: `Replaces the left performer, the right one, or both, as the viewer sees them. ${notes}`,
    synonyms: ['dance video', 'face swap video', 'put me in a video', 'performer replacement'],
    questions: [
      'can I star in a dance video with my friend?',
      'make a performance video from our photos',
      'replace both dancers with us',
    ],
    input: performanceInput,
    output,
    ...terms,
    ...(unavailable === undefined ? {} : { unavailable }),
    check,
    reads: photosOfPerformance,
    price: priceOf(prices),
    example: {
      input: { performers: [{ slot: 'left', image_file_ids: [photoId], consent: true }] },
      cents: prices.cents,
    },
    run: (context) => make(context, wishOfPerformance(context.input)),
  })
}

function createLead({ unavailable, check, make }: Maker, prices: Prices): Action {
  return defineJob('generate', {
    summary: 'Put a person from photos into the lead of a video with its soundtrack.',
    notes: `Replaces the central performer; other people and the scene stay. ${notes}`,
    synonyms: ['lead performer', 'star in a music video', 'face swap video', 'put me in a video'],
    questions: [
      'can I be the star of a music video?',
      'put my friend in the lead of a video clip',
      'make me the lead singer in a film',
    ],
    input: leadInput,
    output,
    ...terms,
    ...(unavailable === undefined ? {} : { unavailable }),
    check,
    reads: photosOfLead,
    price: priceOf(prices),
    example: { input: { image_file_ids: [photoId], consent: true }, cents: prices.cents },
    run: (context) => make(context, wishOfLead(context.input)),
  })
}
