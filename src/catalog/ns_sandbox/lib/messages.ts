// The messages of Modal's API that sandboxes need, and of these only the fields that are used.
// Source: api.proto and task_command_router.proto of modal-labs, and the vendor's client, modal 0.11.1.
import type { MessageType } from './protobuf.ts'

const result = {
  status: [1, 'integer'],
  exception: [2, 'string'],
  exitcode: [3, 'integer'],
} as const satisfies MessageType

/** `GenericResult.GenericStatus` of the vendor. */
export const resultStatus = {
  none: 0,
  success: 1,
  failure: 2,
  terminated: 3,
  timeout: 4,
  initFailure: 5,
  internalFailure: 6,
  idleTimeout: 7,
} as const

const sandbox = {
  entrypointArgs: [1, ['string']],
  imageId: [3, 'string'],
  resources: [5, { gpu: [4, { count: [2, 'integer'], gpuType: [4, 'string'] }] }],
  timeoutSecs: [7, 'integer'],
  networkAccess: [22, { type: [1, 'integer'] }],
  name: [30, 'string'],
} as const satisfies MessageType

/** In the metadata of a failure: `google.rpc.Status`, whose details have types of their own. */
export const failureStatus = {
  details: [3, [{ typeUrl: [1, 'string'], value: [2, 'bytes'] }]],
} as const satisfies MessageType

/** A detail by which the vendor asks its clients to wait: `modal.client.RPCRetryPolicy`. */
export const retryPolicy = { retryAfterSecs: [1, 'float'] } as const satisfies MessageType

interface Method {
  readonly request: MessageType
  readonly reply: MessageType
}

/** Of `modal.client.ModalClient`. */
export const apiMethods = {
  AuthTokenGet: { request: {}, reply: { token: [1, 'string'] } },
  AppGetOrCreate: {
    request: {
      appName: [1, 'string'],
      environmentName: [2, 'string'],
      objectCreationType: [3, 'integer'],
    },
    reply: { appId: [1, 'string'] },
  },
  EnvironmentGetOrCreate: {
    request: { deploymentName: [1, 'string'] },
    reply: { metadata: [2, { settings: [2, { imageBuilderVersion: [1, 'string'] }] }] },
  },
  ImageGetOrCreate: {
    request: {
      image: [2, { dockerfileCommands: [6, ['string']] }],
      appId: [4, 'string'],
      builderVersion: [9, 'string'],
    },
    reply: { imageId: [1, 'string'], result: [2, result] },
  },
  ImageJoinStreaming: {
    request: { imageId: [1, 'string'], timeout: [2, 'float'], lastEntryId: [3, 'string'] },
    reply: { result: [1, result], entryId: [3, 'string'] },
  },
  SandboxCreate: {
    request: { appId: [1, 'string'], definition: [2, sandbox] },
    reply: { sandboxId: [1, 'string'] },
  },
  SandboxGetTaskId: {
    request: { sandboxId: [1, 'string'], timeout: [2, 'float'] },
    reply: { taskId: [1, 'string'], taskResult: [2, result] },
  },
  SandboxWait: {
    request: { sandboxId: [1, 'string'], timeout: [2, 'float'] },
    reply: { result: [1, result] },
  },
  SandboxTerminate: { request: { sandboxId: [1, 'string'] }, reply: {} },
  SandboxGetFromName: {
    request: {
      sandboxName: [1, 'string'],
      environmentName: [2, 'string'],
      appName: [3, 'string'],
    },
    reply: { sandboxId: [1, 'string'] },
  },
  TaskGetCommandRouterAccess: {
    request: { taskId: [1, 'string'] },
    reply: { jwt: [1, 'string'], url: [2, 'string'] },
  },
} as const satisfies Record<string, Method>

const exec = { taskId: [1, 'string'], execId: [2, 'string'] } as const satisfies MessageType

/** Of `modal.task_command_router.TaskCommandRouter`, which runs beside each sandbox. */
export const routerMethods = {
  TaskExecStart: {
    request: {
      ...exec,
      commandArgs: [3, ['string']],
      stdoutConfig: [4, 'integer'],
      stderrConfig: [5, 'integer'],
      timeoutSecs: [6, 'integer'],
    },
    reply: {},
  },
  TaskExecStdioRead: {
    request: { ...exec, offset: [3, 'integer'], fileDescriptor: [4, 'integer'] },
    reply: { data: [1, 'bytes'] },
  },
  TaskExecWait: { request: exec, reply: { code: [1, 'integer'], signal: [2, 'integer'] } },
} as const satisfies Record<string, Method>
