// The vendor's own client, and our requests: the same methods, messages and metadata in the same order.

import { expect, onTestFinished, test, vi } from 'vitest'
import { ModalClient } from '#oracles/modal.ts'
import type { GrpcCall } from './grpc-server.ts'
import { modalKey } from './stub-modal.ts'
import { openModalWorld } from './world.ts'

const read = [
  'authorization',
  'x-modal-auth-token',
  'x-modal-token-id',
  'x-modal-token-secret',
].concat(['x-modal-client-type', 'x-modal-client-version', 'x-modal-libmodal-version'])

/** A value without what this format does not tell from its absence. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(filled)
  if (typeof value !== 'object' || value === null)
    return value === '' || value === 0 || value === false ? undefined : value
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    const kept = filled(inner)
    // How long one request waits is the client's own choice.
    return kept === undefined || name === 'timeout' ? [] : [[name, kept]]
  })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

/** What a client sent, without the ids that are made anew each time. */
const plain = (calls: readonly GrpcCall[]) =>
  calls.map(({ service, method, message, metadata }) => ({
    at: `${service}/${method}`,
    message: JSON.stringify(filled(message) ?? {})
      .replaceAll(/\b(sb|ta|jwt-ta)-\w{22}/g, '$1-id')
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid'),
    metadata: Object.fromEntries(
      read.flatMap((name) =>
        metadata[name] === undefined
          ? []
          : [[name, String(metadata[name]).replaceAll(/ta-\w{22}/g, 'ta-id')]],
      ),
    ),
  }))

/** Both outputs are read at once, in no order. */
const inOrder = (calls: ReturnType<typeof plain>) =>
  calls.toSorted((one, other) => Number(one.at > other.at) - Number(one.at < other.at))

test.each([
  ['a plain sandbox', {}],
  ['a GPU', { gpu: 'A10G', image: 'registry.example/slow:1' }],
  ['a startup command', { command: ['sleep', '60'], timeout: 600 }],
] as const)('Modal is asked as its own client asks: %s', async (_name, input) => {
  const world = await openModalWorld()
  onTestFinished(world.close)
  const { sandbox_id: id } = await world.run('sandbox-create', input)
  await world.run('sandbox-exec', { sandbox_id: id, command: 'echo hi', timeout: 10 })
  await world.run('sandbox-status', { sandbox_id: id })
  await world.run('sandbox-terminate', { sandbox_id: id })
  const ours = plain(world.stub.calls.splice(0))

  vi.stubEnv('MODAL_SERVER_URL', world.stub.url)
  vi.stubEnv('MODAL_CONFIG_PATH', '/nowhere')
  // Sandboxes with a GPU exist in this version of the vendor's interface only.
  vi.stubEnv('MODAL_SANDBOX_V2', '0')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  world.stub.setRouterUrl(world.stub.url.replace('http:', 'https:'))
  const [tokenId = '', tokenSecret = ''] = modalKey.split(':')
  const silent = { debug() {}, info() {}, warn() {}, error() {} }
  const client = new ModalClient({ tokenId, tokenSecret, logger: silent })
  onTestFinished(() => client.close())
  const app = await client.apps.fromName('tollway', { createIfMissing: true })
  const {
    image = 'python:3.13-slim-bookworm',
    timeout = 300,
    ...rest
  } = {
    ...({} as { image?: string; timeout?: number; gpu?: string; command?: readonly string[] }),
    ...input,
  }
  const made = await client.sandboxes.create(app, client.images.fromRegistry(image), {
    ...(rest.gpu !== undefined && { gpu: rest.gpu }),
    ...(rest.command !== undefined && { command: [...rest.command] }),
    timeoutMs: timeout * 1_000,
    name: world.begun[0] as string,
  })
  const sandbox = await client.sandboxes.fromId(made.sandboxId)
  const process = await sandbox.exec(['/bin/sh', '-c', 'echo hi'], { timeoutMs: 10_000 })
  expect(await process.stdout.readText()).toBe('hi\n')
  await process.stderr.readText()
  await process.wait()
  expect(await sandbox.poll()).toBeNull()
  await sandbox.terminate()
  sandbox.detach()
  made.detach()

  expect(inOrder(ours)).toEqual(inOrder(plain(world.stub.calls)))
  expect(world.stub.strays).toEqual([])
})
