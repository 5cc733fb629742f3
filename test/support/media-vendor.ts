// The vendor's queue and storage as its documentation describes them. Requests that do not follow it are refused and
// listed. https://fal.ai/docs/documentation/model-apis/inference/queue
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { portOf } from '#platform/http/port.ts'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly authorization: string | undefined
  readonly priority: string | undefined
  readonly body: unknown
}

/** How the next generation goes. */
export interface Course {
  /** Status replies before it is completed. Default: none. */
  readonly before?: readonly ('IN_QUEUE' | 'IN_PROGRESS')[]
  /** Fields of the completed status: the vendor reports failures of requests there. */
  readonly completed?: object
  /** Reply to the request for the result. */
  readonly status?: number
  readonly result?: unknown
  /** Reply to the submission in place of a request id. */
  readonly refusal?: { readonly status: number; readonly body: unknown }
  /** The submission is answered after it. */
  readonly answersAfter?: Promise<void>
  /** Whether the submission is left without an answer. */
  readonly silent?: boolean
}

export interface MediaVendor {
  readonly url: string
  /** Of the queue and the storage, without polls of the status. */
  readonly seen: readonly SeenRequest[]
  readonly cancelled: readonly string[]
  /** How often the status was asked for. */
  polls(): number
  /** Requests that the vendor would refuse. */
  readonly problems: readonly string[]
  /** Sets how the following generations go, in order. The last one stays. Forgets what was seen. */
  plan(...courses: Course[]): void
  close(): Promise<void>
}

interface Generation {
  readonly requestId: string
  readonly app: string
  readonly course: Course
  /** How often its status was asked for. */
  asked: number
}

export const mediaKey = 'id:secret'

/** `storage`: the server that takes uploads and serves them. Default: the vendor's own, which tests do not reach. */
export async function startMediaVendor(storage?: string): Promise<MediaVendor> {
  const state: State = { storage, seen: [], courses: [{}], polls: 0, problems: [], cancelled: [] }
  const answer = createAnswers(state)
  const server = createServer((request, response) => {
    readRequest(request)
      .then((read) => answer(read, response))
      .catch((error) => response.writeHead(599).end(String(error)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    get seen() {
      return state.seen
    },
    cancelled: state.cancelled,
    polls: () => state.polls,
    problems: state.problems,
    plan(...courses) {
      Object.assign(state, { seen: [], polls: 0, courses })
      state.cancelled.length = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface State {
  readonly storage: string | undefined
  seen: SeenRequest[]
  courses: readonly Course[]
  polls: number
  readonly problems: string[]
  readonly cancelled: string[]
}

function createAnswers(state: State) {
  const generations = new Map<string, Generation>()

  async function submit({ path }: SeenRequest, response: ServerResponse) {
    const [course = {}] = state.courses
    if (state.courses.length > 1) state.courses = state.courses.slice(1)
    if (course.silent) return
    await course.answersAfter
    if (course.refusal) return send(response, course.refusal.status, course.refusal.body)
    const requestId = crypto.randomUUID()
    const app = path.split('/').slice(1, 3).join('/')
    generations.set(requestId, { requestId, app, course, asked: 0 })
    const own = `https://queue.fal.run/${app}/requests/${requestId}`
    const urls = { response_url: own, status_url: `${own}/status`, cancel_url: `${own}/cancel` }
    send(response, 200, { status: 'IN_QUEUE', request_id: requestId, queue_position: 0, ...urls })
  }

  return (request: SeenRequest, response: ServerResponse) => {
    const problem = problemOf(request)
    if (problem !== undefined) {
      state.problems.push(problem)
      return send(response, 422, { detail: problem })
    }
    if (request.authorization !== `Key ${mediaKey}`)
      return send(response, 401, { detail: 'Authentication is required.' })
    const { path } = request
    if (!path.endsWith('/status')) state.seen.push(request)
    if (path === '/storage/upload/initiate') return send(response, 200, stage(state))
    const asked = /^\/([\w.-]+\/[\w.-]+)\/requests\/([\w-]+)(\/status|\/cancel)?$/.exec(path)
    if (asked === null) return submit(request, response)
    const generation = generations.get(asked[2] ?? '')
    if (generation === undefined || generation.app !== asked[1])
      return send(response, 404, { detail: 'Request not found' })
    if (asked[3] === '/status') return tell(state, generation, response)
    return asked[3] === '/cancel'
      ? cancel(state, generation, response)
      : deliver(generation, response)
  }
}

function stage({ storage }: State) {
  if (storage === undefined)
    return {
      upload_url: 'https://v3.fal.media/upload/koala/photo.jpg?token=t',
      file_url: 'https://v3.fal.media/files/koala/photo.jpg',
    }
  const address = `${storage}/${crypto.randomUUID()}`
  return { upload_url: address, file_url: address }
}

const isOver = ({ asked, course: { before = [] } }: Generation) => asked > before.length

function tell(state: State, generation: Generation, response: ServerResponse) {
  const { requestId, course } = generation
  const { before = [], completed } = course
  const status = before[generation.asked] ?? 'COMPLETED'
  state.polls += 1
  generation.asked += 1
  const known = { status, request_id: requestId, logs: null }
  if (status === 'COMPLETED')
    return send(response, 200, { ...known, metrics: { inference_time: 1 }, ...completed })
  send(response, 202, status === 'IN_QUEUE' ? { ...known, queue_position: 1 } : known)
}

function deliver(generation: Generation, response: ServerResponse) {
  const { requestId, course } = generation
  if (!isOver(generation)) return send(response, 400, { detail: 'Request is still in progress' })
  response.setHeader('x-fal-request-id', requestId)
  send(response, course.status ?? 200, course.result ?? picture)
}

function cancel(state: State, generation: Generation, response: ServerResponse) {
  state.cancelled.push(generation.requestId)
  return isOver(generation)
    ? send(response, 400, { status: 'ALREADY_COMPLETED' })
    : send(response, 202, { status: 'CANCELLATION_REQUESTED' })
}

/** The result of a model that makes a picture. */
const picture = {
  images: [{ url: 'https://v3.fal.media/files/rabbit/picture.jpg', content_type: 'image/jpeg' }],
  seed: 1,
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vendor')
  const { authorization, 'x-fal-queue-priority': priority } = request.headers
  return {
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    authorization,
    priority: priority === undefined ? undefined : String(priority),
    body: text === '' ? undefined : JSON.parse(text),
  }
}

/** What the vendor's documentation does not allow. */
function problemOf({ method, path, query, body }: SeenRequest): string | undefined {
  const said = `${method} ${path}`
  const extra = Object.keys(query).filter(
    (name) => !['logs', 'storage_type', 'fal_webhook'].includes(name),
  )
  if (extra.length > 0) return `${said} has an unknown query: ${extra.join(', ')}.`
  if (path === '/storage/upload/initiate') {
    const { content_type, file_name } = (body ?? {}) as Record<string, unknown>
    const complete = typeof content_type === 'string' && typeof file_name === 'string'
    return complete && method === 'POST' && query.storage_type === 'fal-cdn-v3'
      ? undefined
      : `${said} is not an upload.`
  }
  if (/\/requests\/[^/]+\/cancel$/.test(path))
    return method === 'PUT' ? undefined : `${said} is not a PUT.`
  if (path.includes('/requests/')) return method === 'GET' ? undefined : `${said} is not a GET.`
  if (method !== 'POST') return `${said} is not a POST.`
  return typeof body === 'object' && body !== null && !Array.isArray(body)
    ? undefined
    : `${said} has no object as its body.`
}

function send(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
