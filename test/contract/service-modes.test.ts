import { expect, test } from 'vitest'
import { defineAction, z } from '#core/action.ts'
import { createCatalog, describeCatalog, type Service, type StandIn } from '#core/catalog.ts'
import { defineProvider } from '#core/provider.ts'

const action = (name: string) =>
  defineAction(name, {
    summary: 'Cut a film.',
    input: z.strictObject({}),
    output: z.looseObject({}),
    price: 'free',
    example: { input: {}, cents: 0 },
    run: () => ({}),
  })

const service: Service = {
  provider: defineProvider({
    id: 'ns_films',
    title: 'Films',
    actions: [action('cut'), action('show')],
  }),
  mode: 'unavailable',
  reason: 'Set FILMS_API_KEY.',
  http: {} as Service['http'],
  close: async () => {},
}

const listed = (standIns: Record<string, Partial<StandIn>>, offer = service) => {
  const made = Object.entries(standIns).map(
    ([id, standIn]) => [id, { run: () => ({}), check: () => {}, ...standIn }] as const,
  )
  const catalog = createCatalog([offer], new Map(made))
  const { services, actions } = describeCatalog(catalog, [])
  return { service: services[0], modes: actions.map(({ mode }) => mode) }
}

test('a service is embedded if this machine stands in for one of its actions', () => {
  const { service, modes } = listed({ 'ns_films/cut': {} })
  expect({ mode: service?.mode, modes }).toEqual({
    mode: 'embedded',
    modes: ['embedded', 'unavailable'],
  })
})

test('a service is unavailable if this machine lacks what it would stand in with', () => {
  const missing = 'Install ffmpeg.'
  const { service, modes } = listed({ 'ns_films/cut': { missing } })
  expect(modes).toEqual(['unavailable', 'unavailable'])
  expect(service).toMatchObject({
    mode: 'unavailable',
    reason: 'Set FILMS_API_KEY. Or: Install ffmpeg.',
  })
})

test('a service is keyless if one of its actions needs no key, and keeps the reason of the others', () => {
  const actions = [{ ...action('price'), keyless: true as const }, ...service.provider.actions]
  const { service: shown, modes } = listed(
    {},
    { ...service, provider: { ...service.provider, actions } },
  )
  expect(modes).toEqual(['keyless', 'unavailable', 'unavailable'])
  expect(shown).toMatchObject({ mode: 'keyless', reason: 'Set FILMS_API_KEY.' })
})
