// Modal as its .proto files describe it: an app, images, and sandboxes in which programs of this machine really run.
import path from 'node:path'
import { type GrpcCall, GrpcFailure, startGrpcServer } from './grpc-server.ts'
import {
  createStubSandboxes,
  type Definition,
  grpcStatus,
  kill,
  readOutput,
  resultStatus,
  type StubSandboxes,
  startProgram,
} from './stub-sandboxes.ts'

export const modalKey = 'ak-token-id:as-token-secret'

/** What a test decides about the vendor's side. */
interface VendorSide {
  isScheduling: boolean
  /** The vendor's client wants https here, and leaves the encryption out on this machine. */
  routerUrl: string
}

type Answers = Promise<object> | AsyncIterable<object> | object
type Methods = Readonly<Record<string, (call: GrpcCall) => Answers>>

export async function startStubModal() {
  const sandboxes = createStubSandboxes()
  const side: VendorSide = { isScheduling: true, routerUrl: '' }
  const api: Methods = {
    AuthTokenGet: () => ({ token: stubToken }),
    ImageJoinStreaming: buildSlowly,
    ...createAppMethods(sandboxes),
    ...createSandboxMethods(sandboxes, side),
  }
  const router = createRouterMethods(sandboxes)

  function handle(call: GrpcCall) {
    const isForRouter = call.service.endsWith('TaskCommandRouter')
    if (isForRouter) admitToRouter(call)
    else admitToApi(call)
    const answer = (isForRouter ? router : api)[call.method]
    if (answer === undefined) throw new Error('The stub does not have this method.')
    return answer(call)
  }

  const files = ['modal.proto', 'router.proto'].map((name) => path.join(import.meta.dirname, name))
  const server = await startGrpcServer(files, handle)
  side.routerUrl = server.url

  return {
    ...server,
    sandboxes: sandboxes.all,
    running: sandboxes.running,
    find: sandboxes.find,
    /** The vendor ends it when its time is over. */
    expire: (id: string) => sandboxes.end(sandboxes.find(id), { status: resultStatus.timeout }),
    scheduling(isOn: boolean) {
      side.isScheduling = isOn
    },
    setRouterUrl(url: string) {
      side.routerUrl = url
    },
    async close() {
      for (const sandbox of sandboxes.running())
        sandboxes.end(sandbox, { status: resultStatus.terminated })
      await server.close()
    },
  }
}

/** A token without a signature, which expires in the year 2100. */
const stubToken = ['{}', '{"exp":4102444800}', '{}']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.')

function admitToApi({ metadata, method }: GrpcCall) {
  const [id, secret] = modalKey.split(':')
  const isKnown =
    metadata['x-modal-token-id'] === id &&
    metadata['x-modal-token-secret'] === secret &&
    metadata['x-modal-client-type'] === '8' &&
    (method === 'AuthTokenGet' || metadata['x-modal-auth-token'] === stubToken)
  if (!isKnown) throw new GrpcFailure(grpcStatus.unauthenticated, `bad token ${secret}`)
}

function admitToRouter({ metadata, message }: GrpcCall) {
  if ('x-modal-token-secret' in metadata) throw new Error('The router must not see the key.')
  if (metadata.authorization !== `Bearer jwt-${String(message.taskId)}`)
    throw new GrpcFailure(grpcStatus.unauthenticated, 'another task')
}

function createAppMethods(sandboxes: StubSandboxes): Methods {
  const images = new Set<string>()
  return {
    AppGetOrCreate: ({ message }) => ({ appId: `ap-${String(message.appName)}` }),
    EnvironmentGetOrCreate: () => ({
      environmentId: 'en-1',
      metadata: { name: 'main', settings: { imageBuilderVersion: '2025.06' } },
    }),
    ImageGetOrCreate({ message: { image, appId, builderVersion } }) {
      if (appId !== 'ap-tollway' || builderVersion !== '2025.06')
        throw new GrpcFailure(grpcStatus.invalid, 'no app')
      const [from = ''] = (image as { dockerfileCommands: string[] }).dockerfileCommands
      const imageId = `im-${Buffer.from(from).toString('hex').slice(0, 20)}`
      images.add(imageId)
      if (from.includes('not-there'))
        return { imageId, result: { status: resultStatus.failure, exception: 'no such image' } }
      return from.includes('slow')
        ? { imageId }
        : { imageId, result: { status: resultStatus.success } }
    },
    SandboxCreate({ message }) {
      const definition = message.definition as Definition
      if (!images.has(definition.imageId))
        throw new GrpcFailure(grpcStatus.invalid, 'unknown image')
      return { sandboxId: sandboxes.create(definition).id }
    },
  }
}

async function* buildSlowly() {
  yield { entryId: '1' }
  yield { entryId: '2', result: { status: resultStatus.success } }
}

function createSandboxMethods(sandboxes: StubSandboxes, side: VendorSide): Methods {
  return {
    SandboxGetTaskId({ message }) {
      const { result, taskId } = sandboxes.find(message.sandboxId)
      if (result !== undefined) return { taskResult: result }
      return side.isScheduling ? { taskId } : {}
    },
    SandboxWait: ({ message }) => ({ result: sandboxes.find(message.sandboxId).result }),
    SandboxTerminate({ message }) {
      const sandbox = sandboxes.find(message.sandboxId)
      const existingResult = sandbox.result
      sandboxes.end(sandbox, { status: resultStatus.terminated })
      return { existingResult }
    },
    SandboxGetFromName({ message: { sandboxName, appName } }) {
      const found = sandboxes.running().find(({ definition }) => definition.name === sandboxName)
      if (found === undefined || appName !== 'tollway')
        throw new GrpcFailure(grpcStatus.notFound, 'no sandbox')
      return { sandboxId: found.id }
    },
    TaskGetCommandRouterAccess({ message }) {
      const sandbox = sandboxes.findTask(message.taskId)
      if (sandbox === undefined) throw new GrpcFailure(grpcStatus.notFound, 'no task')
      return { jwt: `jwt-${sandbox.taskId}`, url: side.routerUrl }
    },
  }
}

function createRouterMethods(sandboxes: StubSandboxes): Methods {
  function find({ taskId, execId }: GrpcCall['message']) {
    const found = sandboxes.findTask(taskId)?.programs.get(String(execId))
    if (found === undefined) throw new GrpcFailure(grpcStatus.notFound, 'no exec')
    return found
  }
  return {
    TaskExecStart({ message }) {
      const sandbox = sandboxes.findTask(message.taskId)
      if (sandbox === undefined) throw new GrpcFailure(grpcStatus.notFound, 'no task')
      const argv = message.commandArgs as string[]
      const { child } = startProgram(sandbox, String(message.execId), argv)
      const seconds = Number(message.timeoutSecs ?? 0)
      if (seconds > 0) {
        const timer = setTimeout(() => kill(child), seconds * 1_000)
        child.on('close', () => clearTimeout(timer))
      }
      return {}
    },
    TaskExecStdioRead: ({ message, signal }) =>
      readOutput(find(message), Number(message.fileDescriptor ?? 0) as 0 | 1, signal),
    TaskExecWait: ({ message }) => find(message).end,
  }
}
