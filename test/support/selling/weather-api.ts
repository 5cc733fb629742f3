// An API of an operator: its description in OpenAPI 3.1, and a strict server that can fail as servers do.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { portOf } from '#platform/http/port.ts'

export const weatherKey = 'weather-key-of-the-tests-0123456789'

export type Fault =
  | 'none'
  | 'status 500'
  | 'status 402'
  | 'hangs'
  | 'breaks off'
  | 'not JSON'
  | 'a byte order mark'
  | 'counts absurdly'
  | 'a page in HTML'
  | 'nothing'
  | 'wrong content'
  | 'null'
  | 'a text in JSON'
  | 'a list'
  | 'redirects to a private address'
  | 'repeats the key'

export interface WeatherApi {
  readonly url: string
  readonly descriptionUrl: string
  /** The requests for data, as `GET /forecast/Bern?days=3`, with their bodies. */
  readonly asked: {
    readonly line: string
    readonly body: string
    readonly headers: IncomingMessage['headers']
  }[]
  /** Requests that reached what a redirect pointed to. */
  readonly strayed: string[]
  fault: Fault
  /** Changes the description that is served. */
  edit(change: (description: Description) => void): void
  /** Resolves when a request hangs. */
  hanging(): Promise<void>
}

type Description = UntypedJson

const describeWeather = (url: string): Description => ({
  openapi: '3.1.0',
  info: { title: 'Alpine Weather', version: '1.4' },
  servers: [{ url }],
  security: [{ key: [] }],
  paths: {
    '/forecast/{place}': {
      get: {
        operationId: 'getForecast',
        summary: 'The forecast for a place.',
        tags: ['forecasts'],
        parameters: [
          {
            name: 'place',
            in: 'path',
            required: true,
            schema: { type: 'string', minLength: 1 },
            example: 'Bern',
          },
          {
            name: 'days',
            in: 'query',
            schema: { type: 'integer', minimum: 1, maximum: 10 },
            example: 3,
          },
        ],
        responses: {
          200: {
            description: 'The forecast.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Forecast' } } },
          },
        },
      },
    },
    '/stations': {
      post: {
        operationId: 'searchStations',
        summary: 'Find stations.',
        tags: ['stations'],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['names'],
                properties: {
                  names: {
                    type: 'array',
                    items: { type: 'string' },
                    maxItems: 50,
                    example: ['Jungfraujoch'],
                  },
                },
              },
            },
          },
        },
        responses: {
          200: {
            description: 'The stations.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['stations'],
                  properties: {
                    stations: {
                      type: 'array',
                      items: { type: 'object', properties: { name: { type: 'string' } } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
    '/status': {
      get: {
        operationId: 'getStatus',
        summary: 'Whether the API works.',
        tags: ['status'],
        security: [],
        responses: {
          200: {
            description: 'Yes.',
            content: { 'application/json': { schema: { type: 'object' } } },
          },
        },
      },
    },
    '/admin/stations/{id}': {
      delete: {
        operationId: 'removeStation',
        summary: 'Remove a station.',
        tags: ['admin'],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'x' },
        ],
        responses: { 204: { description: 'Gone.' } },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Weather-Key' } },
    schemas: {
      Forecast: {
        type: 'object',
        required: ['place', 'days'],
        properties: {
          place: { type: 'string' },
          days: { type: 'array', items: { $ref: '#/components/schemas/Day' } },
          next: { $ref: '#/components/schemas/Forecast' },
        },
      },
      Day: {
        type: 'object',
        required: ['celsius'],
        properties: { celsius: { type: 'number' } },
      },
    },
  },
})

export function shareWeatherApi(): () => WeatherApi {
  let api: (WeatherApi & { close(): void; reset(): void }) | undefined
  beforeAll(async () => {
    api = await startWeatherApi()
  })
  beforeEach(() => api?.reset())
  afterAll(() => api?.close())
  return () => {
    if (api === undefined) throw new Error('The API starts with the first test.')
    return api
  }
}

type Json = (status: number, value: unknown) => void

/** What it answers with the right key. */
function answer(method: string, path: string, body: string, json: Json) {
  const [, place, query = ''] = /^\/forecast\/([^/?]+)(?:\?(.*))?$/.exec(path) ?? []
  if (method === 'GET' && place !== undefined) {
    const days = Number(new URLSearchParams(query).get('days') ?? 1)
    if (!Number.isInteger(days) || days < 1 || days > 10) return json(400, { error: 'Wrong days.' })
    const shown = Array.from({ length: days }, (_, day) => ({ celsius: day }))
    return json(200, { place: decodeURIComponent(place), days: shown })
  }
  if (method === 'POST' && path === '/stations') {
    const { names } = JSON.parse(body)
    return json(200, { stations: names.map((name: string) => ({ name })) })
  }
  return json(404, { error: 'Nothing here.' })
}

/** Answers with the fault. False: there is none. */
function commit(fault: Fault, response: ServerResponse, url: string, json: Json): boolean {
  if (fault === 'status 500') json(500, { error: `Broken. Key: ${weatherKey}` })
  if (fault === 'status 402') json(402, { error: 'Pay me.' })
  if (fault === 'breaks off') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"place":"Bern",', () => response.destroy())
  }
  if (fault === 'not JSON')
    response.writeHead(200, { 'content-type': 'application/json' }).end('<html>Sorry</html>')
  if (fault === 'counts absurdly') json(200, { place: 'Bern', days: [], units: 1e308 })
  if (fault === 'a byte order mark')
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`\ufeff{"place":"Bern","days":[{"celsius":3}]}`)
  if (fault === 'a page in HTML')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Back soon</h1>')
  if (fault === 'nothing') response.writeHead(200).end()
  if (fault === 'wrong content') json(200, { place: 'Bern', days: [{ celsius: 'warm' }] })
  if (fault === 'null') json(200, null)
  if (fault === 'a text in JSON') json(200, 'x')
  if (fault === 'a list') json(200, [])
  if (fault === 'redirects to a private address')
    response.writeHead(302, { location: `${url}/private` }).end()
  if (fault === 'repeats the key') {
    const encoded = Buffer.from(weatherKey).toString('base64')
    json(200, { place: `Key: ${weatherKey}`, days: [], encoded })
  }
  return fault !== 'none'
}

export async function startWeatherApi(): Promise<WeatherApi & { close(): void; reset(): void }> {
  const asked: WeatherApi['asked'] = []
  const strayed: string[] = []
  let hung = Promise.withResolvers<void>()
  let url = ''
  let description: Description = {}
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const { method = '', url: path = '', headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const json: Json = (status, value) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (path === '/openapi.json') return json(200, description)
    if (path === '/private') {
      strayed.push(path)
      return json(200, { place: 'private', days: [] })
    }
    asked.push({ line: `${method} ${path}`, body, headers })
    if (api.fault === 'hangs') return hung.resolve()
    if (commit(api.fault, response, url, json)) return
    if (path === '/status') return json(200, { ok: true })
    if (path.startsWith('/raw')) {
      const long = path.includes('/long-headers')
        ? { 'x-long': 'l'.repeat(60_000), link: '</next>; rel=next', 'content-location': url }
        : {}
      const type = `application/octet-stream${path.endsWith('/long-type') ? `; of=${'l'.repeat(60_000)}` : ''}`
      const shown = { 'content-type': type, ...long, 'x-seen': method }
      response.writeHead(200, shown)
      return void response.end(Buffer.concat([Buffer.from([0, 255, 7]), ...chunks]))
    }
    if (path === '/missing') return json(404, { error: 'Nothing here.' })
    if (headers['x-weather-key'] !== weatherKey) return json(401, { error: 'A key is needed.' })
    return answer(method, path, body, json)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${portOf(server)}`
  const api = {
    url,
    descriptionUrl: `${url}/openapi.json`,
    asked,
    strayed,
    fault: 'none' as Fault,
    edit(change: (description: Description) => void) {
      change(description)
    },
    hanging: () => hung.promise,
    reset() {
      api.fault = 'none'
      asked.length = 0
      strayed.length = 0
      hung = Promise.withResolvers<void>()
      description = describeWeather(url)
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  api.reset()
  return api
}
