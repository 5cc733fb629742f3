// Sandboxes at Modal: what callers may rely on.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ModalWorld, openModalWorld } from './world.ts'

let world: ModalWorld

beforeEach(async () => {
  world = await openModalWorld()
})

afterEach(async () => {
  const { strays } = world.stub
  await world.close()
  expect(strays).toEqual([])
})

const create = async (input: object = {}): Promise<string> =>
  (await world.run('sandbox-create', input)).sandbox_id

describe('a new sandbox', () => {
  test('is a slim Debian without a GPU that ends after five minutes', async () => {
    const { definition } = world.stub.find(await create())
    expect(definition).toMatchObject({ timeoutSecs: 300, networkAccess: { networkAccessType: 1 } })
    expect(definition.entrypointArgs ?? []).toEqual([])
    expect(definition.resources?.gpuConfig).toBeUndefined()
    const [image] = world.stub.calls.filter(({ method }) => method === 'ImageGetOrCreate')
    expect(image?.message.image).toEqual({ dockerfileCommands: ['FROM python:3.13-slim-bookworm'] })
  })

  test('has the image, the time, the GPU and the startup command of its call', async () => {
    const id = await create({ image: 'debian:12', timeout: 60, gpu: 'A100', command: 'sleep 60' })
    expect(world.stub.find(id).definition).toMatchObject({
      timeoutSecs: 60,
      entrypointArgs: ['/bin/sh', '-c', 'sleep 60'],
      resources: { gpuConfig: { count: 1, gpuType: 'A100' } },
    })
  })

  test('is remembered by its name before the vendor is asked for it', async () => {
    const { name } = world.stub.find(await create({ timeout: 70 })).definition
    expect(world.begun).toEqual([name])
  })

  test('may wait for its image to be built', async () => {
    const id = await create({ image: 'registry.example/slow:1' })
    expect(await world.run('sandbox-status', { sandbox_id: id })).toMatchObject({
      status: 'running',
    })
  })

  test.each(['debian\nRUN curl evil', 'debian AS x', '$X', '-f'])(
    'has an image with a plain name, not %j',
    async (image) => {
      expect(await world.failure('sandbox-create', { image })).toMatchObject({
        code: 'bad_request',
      })
      expect(world.stub.calls).toEqual([])
    },
  )
})

describe('a command', () => {
  test('given as a string runs in a shell', async () => {
    const id = await create()
    const command = 'echo "$((1+1))"; echo no >&2; exit 3'
    expect(await world.run('sandbox-exec', { sandbox_id: id, command })).toEqual({
      stdout: '2\n',
      stderr: 'no\n',
      returncode: 3,
      timed_out: false,
    })
  })

  test('given as a list runs without a shell', async () => {
    const id = await create()
    const command = ['printf', '%s', '$HOME é']
    expect(await world.run('sandbox-exec', { sandbox_id: id, command })).toMatchObject({
      stdout: '$HOME é',
      returncode: 0,
    })
  })

  test('finds the files of the one before', async () => {
    const id = await create()
    await world.run('sandbox-exec', { sandbox_id: id, command: 'echo kept > file' })
    const { stdout } = await world.run('sandbox-exec', { sandbox_id: id, command: 'cat file' })
    expect(stdout).toBe('kept\n')
  })

  test('is ended at its timeout, and what it wrote is kept', async () => {
    const id = await create()
    const command = 'echo early; exec sleep 60'
    expect(await world.run('sandbox-exec', { sandbox_id: id, command, timeout: 1 })).toEqual({
      stdout: 'early\n',
      stderr: '',
      returncode: -1,
      timed_out: true,
    })
  })

  test('that a signal ends has the return code -1', async () => {
    const id = await create()
    expect(
      await world.run('sandbox-exec', { sandbox_id: id, command: 'kill -9 $$' }),
    ).toMatchObject({
      returncode: -1,
      timed_out: false,
    })
  })

  test('that writes without end is cut after a megabyte', async () => {
    const id = await create()
    const command = 'head -c 20000000 /dev/zero | tr "\\0" x'
    const { stdout, truncated, returncode } = await world.run('sandbox-exec', {
      sandbox_id: id,
      command,
    })
    expect([stdout.length, truncated, returncode]).toEqual([1_000_000, true, 0])
  })

  test('does not mix with nine others', async () => {
    const id = await create()
    const outputs = await Promise.all(
      Array.from({ length: 10 }, async (_, place) => {
        const command = `echo ${place}; echo e${place} >&2`
        return await world.run('sandbox-exec', { sandbox_id: id, command })
      }),
    )
    expect(outputs.map(({ stdout, stderr }) => [stdout, stderr])).toEqual(
      outputs.map((_, place) => [`${place}\n`, `e${place}\n`]),
    )
  })

  test('is not run in a sandbox that is over', async () => {
    const id = await create()
    world.stub.expire(id)
    const failure = await world.failure('sandbox-exec', { sandbox_id: id, command: 'true' })
    expect(failure).toMatchObject({ code: 'session_closed' })
  })
})

describe('the status', () => {
  test.each([
    ['sleep 60', { status: 'running', returncode: null }],
    ['true', { status: 'finished', returncode: 0 }],
    ['exit 4', { status: 'failed', returncode: 4 }],
  ])('of a sandbox that was started with %s', async (command, state) => {
    const id = await create({ command })
    const { programs } = world.stub.find(id)
    if (state.status !== 'running') await programs.get('entrypoint')?.end
    expect(await world.run('sandbox-status', { sandbox_id: id })).toEqual({
      sandbox_id: id,
      ...state,
    })
  })

  test('is finished after its time, and after it was terminated', async () => {
    const [first, second] = [await create(), await create()]
    world.stub.expire(first)
    await world.run('sandbox-terminate', { sandbox_id: second })
    for (const id of [first, second])
      expect(await world.run('sandbox-status', { sandbox_id: id })).toEqual({
        sandbox_id: id,
        status: 'finished',
        returncode: null,
      })
  })
})

test('a sandbox can be terminated twice, also when the vendor has forgotten it', async () => {
  const id = await create({ command: 'sleep 60' })
  const answer = { sandbox_id: id, status: 'finished' }
  expect(await world.run('sandbox-terminate', { sandbox_id: id })).toEqual(answer)
  expect(world.stub.running()).toEqual([])
  expect(await world.run('sandbox-terminate', { sandbox_id: id })).toEqual(answer)
  world.stub.sandboxes.clear()
  expect(await world.run('sandbox-terminate', { sandbox_id: id })).toEqual(answer)
})

test('the operator’s token is fetched once for many calls', async () => {
  const id = await create()
  await world.run('sandbox-status', { sandbox_id: id })
  const tokens = world.stub.calls.filter(({ method }) => method === 'AuthTokenGet')
  expect(tokens).toHaveLength(1)
})
