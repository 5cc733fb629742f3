// /status: whether the gateway and what it sells work, for people; /status.json says the same to programs.
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '#core/catalog.ts'
import type { Clock } from '#core/ports.ts'
import type { ActionHealth, HealthReport, HealthStatus } from '#runner/history/health.ts'
import { documentPage, type NavigationGroup } from '../../docs/site/shell.ts'
import { addRoute } from '../../doors/add-route.ts'
import { escapeHtml } from '../../doors/escape-html.ts'
import { scrolledTable, sendDocument } from '../../doors/frame.ts'
import { defineRoute } from '../../doors/route.ts'
import { html, integer, list, object, text } from '../../doors/shapes.ts'

const service = object({
  service: text,
  title: text,
  status: { enum: ['healthy', 'degraded', 'failing', 'unknown'] },
  actions: integer,
  actions_degraded: integer,
  actions_failing: integer,
})

export const statusPage = defineRoute({
  method: 'get',
  path: '/status',
  summary: 'Whether the gateway and what it sells work, as a page.',
  type: html,
})
export const readStatus = defineRoute({
  method: 'get',
  path: '/status.json',
  summary: 'Whether the gateway and what it sells work.',
  answer: object({
    status: {
      enum: ['ok', 'degraded', 'down'],
      description: 'degraded: some services fail. down: no call can be taken.',
    },
    checked_at: { ...text, format: 'date-time' },
    services: { ...list(service), description: 'Those that this gateway offers.' },
  }),
})

interface Dependencies {
  report: Pick<HealthReport, 'actions'>
  catalog: Pick<Catalog, 'services'>
  ready: () => Promise<boolean>
  clock: Clock
  /** The list beside the page. */
  navigation: readonly NavigationGroup[]
}

/** How many calls others make is not shown: only how they end. */
export function addStatusRoutes(server: FastifyInstance, dependencies: Dependencies) {
  addRoute(server, readStatus, () => readAll(dependencies))
  addRoute(server, statusPage, async (_asked, reply) =>
    sendDocument(
      reply.header('cache-control', 'no-store'),
      documentPage({
        path: '/status',
        title: 'Status',
        html: describe(await readAll(dependencies)),
        headings: [],
        navigation: dependencies.navigation,
        hasText: false,
      }),
    ),
  )
}

async function readAll({ report, catalog, ready, clock }: Dependencies) {
  const checkedAt = new Date(clock.now()).toISOString()
  const actions = (await ready()) ? await report.actions().catch(() => undefined) : undefined
  if (actions === undefined) return { status: 'down' as const, checked_at: checkedAt, services: [] }
  const ofService = Map.groupBy(actions, ({ id }) => id.slice(0, id.indexOf('/')))
  const services = catalog.services.flatMap(({ provider }) => {
    const offered = (ofService.get(provider.id) ?? []).filter(
      ({ status }) => status !== 'unavailable',
    )
    return offered.length === 0 ? [] : [summarize(provider, offered)]
  })
  const isWell = services.every(({ status }) => status !== 'failing' && status !== 'degraded')
  return {
    status: isWell ? ('ok' as const) : ('degraded' as const),
    checked_at: checkedAt,
    services,
  }
}

function summarize(
  { id, title }: { readonly id: string; readonly title: string },
  actions: readonly ActionHealth[],
) {
  const count = (wanted: HealthStatus) => actions.filter(({ status }) => status === wanted).length
  const failing = count('failing')
  const degraded = count('degraded')
  return {
    service: id,
    title,
    status: statusOf(failing, degraded, count('healthy')),
    actions: actions.length,
    actions_degraded: degraded,
    actions_failing: failing,
  }
}

/** One failing action of several degrades a service. */
function statusOf(failing: number, degraded: number, healthy: number): keyof typeof words {
  if (failing > 0 && degraded + healthy === 0) return 'failing'
  if (failing + degraded > 0) return 'degraded'
  return healthy > 0 ? 'healthy' : 'unknown'
}

const sentences = {
  ok: 'Everything works.',
  degraded: 'The gateway works. Some services do not answer as they should.',
  down: 'The gateway cannot take calls now: its database does not answer. Nothing is charged meanwhile.',
} as const
const words = {
  healthy: 'works',
  degraded: 'fails at times',
  failing: 'fails',
  unknown: 'too few calls to tell',
} as const

function describe({ status, checked_at: at, services }: Awaited<ReturnType<typeof readAll>>) {
  const isNoted = ({ status }: (typeof services)[number]) =>
    status === 'failing' || status === 'degraded'
  const rows = services
    .toSorted((a, b) => Number(isNoted(b)) - Number(isNoted(a)))
    .map(({ service, title, status, actions }) => [
      `<a href="/docs/actions">${escapeHtml(service)}</a>`,
      `<span class="state ${status}">${words[status]}</span>`,
      String(actions),
      escapeHtml(title),
    ])
  return `<p class="state-of-all ${status}" role="status"><strong>${sentences[status]}</strong></p>
    <p>Checked at ${at}. A service is judged by the calls of the last day that its callers were not to blame for. A failed call
    is never charged. Programs read <a href="/status.json">status.json</a>, and each action with an API key at
    <code>/api/v1/health</code>.</p>
    ${rows.length === 0 ? '' : scrolledTable('Services', [['Service', 'State', 'Actions', 'What it is'], ...rows])}`
}
