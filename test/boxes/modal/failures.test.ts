// What a caller reads when Modal fails, in each way in which its API can, and what is left at the vendor then: nothing.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { protobuf } from '#oracles/protobuf.ts'
import { systemClock } from '#platform/clock.ts'
import type { Fault } from './grpc-server.ts'
import { modalKey } from './stub-modal.ts'
import { type ModalWorld, openModalWorld } from './world.ts'

let world: ModalWorld
let now = 0

beforeEach(async () => {
  now = systemClock.now()
  world = await openModalWorld({ ...systemClock, now: () => now })
})

afterEach(async () => {
  const { strays } = world.stub
  await world.close()
  expect(strays).toEqual([])
})

const failAt = (method: string, fault: Fault, timesMax = Number.POSITIVE_INFINITY) => {
  let times = 0
  world.stub.fail((call) => {
    if (call.method !== method || times >= timesMax) return undefined
    times += 1
    return fault
  })
}

const secret = modalKey.split(':')[1] ?? ''

test.each([
  [3, 'bad_request'],
  [4, 'upstream_error'],
  [5, 'not_found'],
  [7, 'upstream_error'],
  [8, 'rate_limited'],
  [9, 'upstream_error'],
  [12, 'upstream_error'],
  [13, 'upstream_error'],
  [14, 'upstream_error'],
  [16, 'upstream_error'],
] as const)('gRPC status %i is %s, without the operator’s token', async (status, code) => {
  const { sandbox_id: id } = await world.run('sandbox-create', {})
  failAt('SandboxWait', { status, message: `no, token ${secret} is wrong` })
  const failure = await world.failure('sandbox-status', { sandbox_id: id })
  expect(failure.code).toBe(code)
  expect(JSON.stringify([failure.message, failure.data])).not.toContain(secret)
})

const { root } = protobuf.parse(`syntax = "proto3";
message Any { string type_url = 1; bytes value = 2; }
message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
message RPCRetryPolicy { float retry_after_secs = 1; }`)

function writeMessage(name: string, content: object): Uint8Array {
  const type = root.lookupType(name)
  return type.encode(type.fromObject(content)).finish()
}

test.each([
  [12.2, 13],
  [0, 1],
  [1e9, 3_600],
])('a request to wait %d seconds reaches the caller', async (retryAfterSecs, seconds) => {
  const { sandbox_id: id } = await world.run('sandbox-create', {})
  const wait = {
    typeUrl: 'type.googleapis.com/modal.client.RPCRetryPolicy',
    value: writeMessage('RPCRetryPolicy', { retryAfterSecs }),
  }
  const other = { typeUrl: 'type.googleapis.com/google.rpc.DebugInfo', value: Buffer.from('xyz') }
  const details = Buffer.from(writeMessage('Status', { code: 14, details: [other, wait] }))
  const metadata = { 'grpc-status-details-bin': details.toString('base64').replace(/=+$/, '') }
  failAt('SandboxWait', { status: 14, metadata })
  expect(await world.failure('sandbox-status', { sandbox_id: id })).toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: seconds,
  })
  failAt('SandboxWait', { status: 14, metadata: { 'grpc-status-details-bin': 'AAAA' } })
  expect(await world.failure('sandbox-status', { sandbox_id: id })).toMatchObject({
    code: 'upstream_error',
  })
})

test('a refused token is fetched anew for the next call', async () => {
  const { sandbox_id: id } = await world.run('sandbox-create', {})
  failAt('SandboxWait', { status: 16 })
  expect(await world.failure('sandbox-status', { sandbox_id: id })).toMatchObject({
    code: 'upstream_error',
    data: { reason: 'provider_auth' },
  })
  world.stub.fail(undefined)
  world.stub.calls.splice(0)
  await world.run('sandbox-status', { sandbox_id: id })
  expect(world.stub.calls.map(({ method }) => method)).toEqual(['AuthTokenGet', 'SandboxWait'])
})

test.each<[string, Fault]>([
  ['cut off', 'cut'],
  ['without an outcome', 'no outcome'],
  ['lost', 'lost'],
  ['not a message', { bytes: Buffer.from([0x0a, 0xff]) }],
  ['an outage of a proxy', { http: 502 }],
])('a reply that is %s is upstream_error', async (_name, fault) => {
  const { sandbox_id: id } = await world.run('sandbox-create', {})
  failAt('SandboxWait', fault)
  const failure = await world.failure('sandbox-status', { sandbox_id: id })
  expect(failure).toMatchObject({ code: 'upstream_error' })
})

test('an image that does not exist is the caller’s mistake', async () => {
  const failure = await world.failure('sandbox-create', { image: 'registry.example/not-there:1' })
  expect(failure).toMatchObject({ code: 'bad_request' })
  expect(failure.message).toContain('not-there')
  expect(world.stub.sandboxes.size).toBe(0)
})

describe('a creation that fails leaves no sandbox', () => {
  test.each<[string, string, Fault]>([
    ['the answer is cut off', 'SandboxCreate', 'cut'],
    ['the answer has no outcome', 'SandboxCreate', 'no outcome'],
    ['the answer is lost', 'SandboxCreate', 'lost'],
    ['the vendor cannot tell whether it has started', 'SandboxGetTaskId', { status: 14 }],
    [
      'the vendor’s answer about its start cannot be read',
      'SandboxGetTaskId',
      { bytes: Buffer.from([0x0a, 0xff]) },
    ],
  ])('when %s', async (_name, method, fault) => {
    failAt(method, fault)
    const failure = await world.failure('sandbox-create', {})
    expect(failure).toMatchObject({ code: 'upstream_error' })
    expect(world.stub.sandboxes.size).toBe(1)
    expect(world.stub.running()).toEqual([])
    // Each creation could make a sandbox that costs money, so none is repeated.
    expect(world.stub.calls.filter((call) => call.method === 'SandboxCreate')).toHaveLength(1)
  })

  test('when there is no machine for it', async () => {
    world.stub.scheduling(false)
    world.stub.fail(({ method }) => {
      if (method === 'SandboxGetTaskId') now += 20_000
      return undefined
    })
    const failure = await world.failure('sandbox-create', { gpu: 'H100' })
    expect(failure).toMatchObject({ code: 'upstream_busy' })
    expect(world.stub.running()).toEqual([])
  })

  test('when its caller’s call ends first', async () => {
    const leaving = new AbortController()
    world.stub.scheduling(false)
    world.stub.fail(({ method }) => {
      if (method !== 'SandboxGetTaskId') return undefined
      leaving.abort(new Error('The call is over.'))
      return 'silence'
    })
    await expect(world.run('sandbox-create', {}, leaving.signal)).rejects.toThrow(
      'The call is over.',
    )
    expect(world.stub.running()).toEqual([])
  })
})

describe('a command', () => {
  const command = 'echo hi'

  test.each(['TaskExecStdioRead', 'TaskExecWait'])(
    'survives an exchange that breaks off twice: %s',
    async (method) => {
      const { sandbox_id: id } = await world.run('sandbox-create', {})
      failAt(method, 'cut', 2)
      expect(await world.run('sandbox-exec', { sandbox_id: id, command })).toMatchObject({
        stdout: 'hi\n',
        returncode: 0,
      })
    },
  )

  test('is started once, also when that is not answered', async () => {
    const { sandbox_id: id } = await world.run('sandbox-create', {})
    failAt('TaskExecStart', 'lost')
    const failure = await world.failure('sandbox-exec', { sandbox_id: id, command })
    expect(failure).toMatchObject({ code: 'upstream_error' })
    expect(world.stub.calls.filter(({ method }) => method === 'TaskExecStart')).toHaveLength(1)
  })

  test.each(['TaskExecStart', 'TaskExecStdioRead', 'TaskExecWait'])(
    'fails when the router is down: %s',
    async (method) => {
      const { sandbox_id: id } = await world.run('sandbox-create', {})
      failAt(method, { status: 14 })
      const failure = await world.failure('sandbox-exec', { sandbox_id: id, command })
      expect(failure).toMatchObject({ code: 'upstream_error' })
    },
  )

  test('is not sent to a router without encryption on another host', async () => {
    const { sandbox_id: id } = await world.run('sandbox-create', {})
    world.stub.setRouterUrl('http://127.0.0.2:9')
    const failure = await world.failure('sandbox-exec', { sandbox_id: id, command })
    expect(failure).toMatchObject({ code: 'upstream_error' })
  })

  test('ends with the call', async () => {
    const { sandbox_id: id } = await world.run('sandbox-create', {})
    const leaving = new AbortController()
    world.stub.fail(({ method }) => {
      if (method === 'TaskExecWait') leaving.abort(new Error('The call is over.'))
      return undefined
    })
    const body = { sandbox_id: id, command: 'sleep 60' }
    await expect(world.run('sandbox-exec', body, leaving.signal)).rejects.toThrow(
      'The call is over.',
    )
  })
})
