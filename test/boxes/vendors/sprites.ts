// Source: the SDK @fly/sprites 0.1.0.
import { z } from 'zod'
import type { LocalBox } from '../local-machine.ts'
import type { StubVendor } from '../stub-vendor.ts'

const error = (status: number, message: string) => ({ status, body: { error: 'error', message } })

const describe = ({ id, name }: LocalBox) => ({
  id,
  name,
  organization: 'personal',
  status: 'running',
  url: 'https://x.sprites.app',
  created_at: '2026-09-01T10:00:00Z',
  updated_at: '2026-09-01T10:00:00Z',
  unknown_field: 1,
})

export const spritesStub: StubVendor = {
  error,
  authorize: ({ headers }) => headers.authorization === 'Bearer test-key',
  routes: [
    [
      'POST',
      /^\/v1\/sprites$/,
      (_request, { machines, read }) => {
        const { name } = read(z.strictObject({ name: z.string().min(1) }))
        if (machines.find(name) !== undefined) return error(409, 'name is taken')
        return { status: 201, body: describe(machines.add(name)) }
      },
    ],
    [
      'GET',
      /^\/v1\/sprites\/([^/]+)$/,
      (_request, { machines, params: [name = ''] }) => {
        const box = machines.find(name)
        return box === undefined ? error(404, 'not found') : { body: describe(box) }
      },
    ],
    [
      'DELETE',
      /^\/v1\/sprites\/([^/]+)$/,
      (_request, { machines, params: [name = ''] }) => {
        const box = machines.find(name)
        if (box === undefined) return error(404, 'not found')
        machines.remove(box)
        return { status: 204 }
      },
    ],
    [
      'POST',
      /^\/v1\/sprites\/([^/]+)\/exec$/,
      async ({ query, bytes, headers }, { machines, params: [name = ''] }) => {
        if (headers['content-type'] !== 'application/octet-stream') throw new Error('Another type.')
        if (query.stdin !== 'true' || query.path !== query.cmd) throw new Error('Another query.')
        const box = machines.find(name)
        if (box === undefined) return error(404, 'not found')
        const { code, stdout } = await machines.run(box, [query.cmd ?? ''].flat(), bytes)
        if (!machines.boxes.has(box.id)) return 'cut'
        const middle = Math.floor(stdout.length / 2)
        // The network joins and splits these pieces as it likes.
        const pieces = [
          ...[Buffer.from([1]), stdout.subarray(0, middle), Buffer.from([2, 33])],
          ...[Buffer.from([1]), stdout.subarray(middle), Buffer.from([3, code])],
        ]
        return { body: Buffer.concat(pieces) }
      },
    ],
  ],
}
